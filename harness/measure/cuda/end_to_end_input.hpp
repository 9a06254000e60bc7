// The input of a block in host memory, from which a device copies it. It is restored before every sort.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>

#include "core/affinity.hpp"
#include "core/cuda/device_memory.hpp"
#include "core/pages.hpp"
#include "generators/device_fill.hpp"
#include "harness/cell/input_seed.hpp"
#include "harness/cell/problem.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {

/// Host memory that a device copies from and to, page-locked or pageable, between zones of known bytes.
class HostArray {
 public:
  /// Allocates the array. Throws std::bad_alloc.
  HostArray(HostMemory kind, std::uint64_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    const std::uint64_t whole = bytes + 2 * kZone;
    // Touched by all cores, in huge pages, and then locked: cudaHostAlloc touches small pages from one core.
    pages_ = Pages(whole, PageKind::huge);
    if (kind == HostMemory::pinned) {
      locked_ = cudaHostRegister(pages_.data(), whole, cudaHostRegisterDefault) == cudaSuccess;
      if (!locked_) {
        cudaGetLastError();  // a system that locks no pages of ours may still have its own
        pages_ = Pages{};
        check(cudaHostAlloc(&pinned_, whole, cudaHostAllocDefault));
      }
    }
    std::memset(first(), kPaint, kZone);
    std::memset(first() + kZone + bytes, kPaint, kZone);
  }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  ~HostArray() {
    if (locked_) cudaHostUnregister(pages_.data());
    cudaFreeHost(pinned_);
  }

  void* data() const { return bytes_ == 0 ? nullptr : first() + kZone; }
  std::uint64_t bytes() const { return bytes_; }
  Array array(std::uint64_t count) const { return {.data = data(), .count = count}; }

  /// The zone that was written to, in words, or nothing.
  std::optional<std::string> damage() const {
    if (bytes_ == 0) return std::nullopt;
    const auto is_painted = [](const std::byte* zone) {
      return std::all_of(zone, zone + kZone, [](std::byte b) { return b == std::byte{kPaint}; });
    };
    if (!is_painted(first())) return "before its array";
    if (!is_painted(first() + kZone + bytes_)) return "after its array";
    return std::nullopt;
  }

 private:
  static constexpr std::uint64_t kZone = 4096;  ///< bytes on either side
  static constexpr int kPaint = 0xA5;

  std::byte* first() const { return pinned_ != nullptr ? static_cast<std::byte*>(pinned_) : pages_.data(); }

  std::uint64_t bytes_;
  Pages pages_;
  bool locked_ = false;
  void* pinned_ = nullptr;
};

class EndToEndInput {
 public:
  /// Makes the input. Throws std::bad_alloc and DeviceError.
  EndToEndInput(const Case& c, cudaStream_t stream, std::uint64_t device_bytes)
      : distribution_(c.distribution),
        input_(case_input(c)),
        cell_seed_(c.seed),
        value_(c.value),
        stream_(stream),
        threads_(static_cast<int>(allowed_cpus().size())),
        keys_(c.host_memory, c.n * byte_size(c.key)),
        values_(c.host_memory, c.n * byte_size(c.value)) {
    // A larger copy would leave too little device memory for sorts that need almost all of it.
    constexpr std::uint64_t most_of_device = 4;  // a quarter
    if (keys_.bytes() <= device_bytes / most_of_device) {
      keys_there_ = DeviceMemory{keys_.bytes()};
    }
    problem_ = case_problem(c);
    make(0);
  }

  /// Makes the input with this number (input_seed.hpp) the current one.
  void make(std::uint64_t number) {
    if (number_ == number) return;
    number_ = number;
    input_.seed = input_seed(cell_seed_, number);
    if (keys_there_.size() > 0) fill_on_device(distribution_, input_, keys_there_.data(), stream_);
    digest_ = digest_input(restore(), problem_, threads_);
  }

  /// Fetches the device's copy of the keys while all host cores write the values. Without such a copy, the host cores
  /// also make the keys.
  Buffers restore() {
    Buffers buffers{.keys = keys_.array(input_.n), .values = {}};
    if (keys_there_.size() > 0) {
      check(cudaMemcpyAsync(keys_.data(), keys_there_.data(), keys_.bytes(), cudaMemcpyDeviceToHost, stream_));
    } else {
      distribution_.distribution->fill(input_, keys_.data(), threads_);
    }
    if (values_.bytes() > 0) {
      buffers.values = values_.array(input_.n);
      fill_values(value_, input_.n, values_.data(), threads_);
    }
    check(cudaStreamSynchronize(stream_));
    return buffers;
  }

  /// The first place outside the arrays that was written to, in words, or nothing.
  std::optional<std::string> damage() const {
    if (const auto found = keys_.damage()) return *found + " of keys";
    if (const auto found = values_.damage()) return *found + " of values";
    return std::nullopt;
  }

  const InputDigest& digest() const { return digest_; }
  std::uint64_t seed() const { return input_.seed; }
  std::optional<double> entropy_bits() const { return distribution_.distribution->entropy_bits(input_); }

 private:
  NamedDistribution distribution_;
  Input input_;
  std::uint64_t cell_seed_;
  Problem problem_;
  std::optional<std::uint64_t> number_;  ///< the current input's number
  ValueType value_;
  cudaStream_t stream_;
  int threads_;
  HostArray keys_;
  HostArray values_;
  DeviceMemory keys_there_;  ///< empty if there are too many keys
  InputDigest digest_;
};

}  // namespace sortlab
