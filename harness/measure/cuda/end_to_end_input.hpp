// The input of a block in host memory, from which a device copies it. It is restored before every sort.
#pragma once

#include <optional>

#include "core/affinity.hpp"
#include "core/cuda/device_memory.hpp"
#include "core/pages.hpp"
#include "generators/device_fill.hpp"
#include "harness/cell/problem.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {

/// Host memory that a device copies from and to: page-locked or pageable.
class HostArray {
 public:
  /// Allocates the array. Throws std::bad_alloc.
  HostArray(HostMemory kind, std::uint64_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    // All cores touch the array, in huge pages, before it is locked. cudaHostAlloc would touch small pages from one
    // core.
    pages_ = Pages(bytes, PageKind::huge);
    if (kind == HostMemory::pageable) return;
    locked_ = cudaHostRegister(pages_.data(), bytes, cudaHostRegisterDefault) == cudaSuccess;
    if (locked_) return;
    cudaGetLastError();  // if our pages cannot be locked, CUDA's allocator may still provide locked ones
    pages_ = Pages{};
    check(cudaHostAlloc(&pinned_, bytes, cudaHostAllocDefault));
  }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  ~HostArray() {
    if (locked_) cudaHostUnregister(pages_.data());
    cudaFreeHost(pinned_);
  }

  void* data() const { return pinned_ != nullptr ? pinned_ : pages_.data(); }
  std::uint64_t bytes() const { return bytes_; }
  Array array(std::uint64_t count) const { return {.data = data(), .count = count}; }

 private:
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
        value_(c.value),
        stream_(stream),
        threads_(static_cast<int>(allowed_cpus().size())),
        keys_(c.host_memory, c.n * byte_size(c.key)),
        values_(c.host_memory, c.n * byte_size(c.value)) {
    // A larger copy would leave too little device memory for sorts that need almost all of it.
    constexpr std::uint64_t most_of_device = 4;  // a quarter
    if (keys_.bytes() <= device_bytes / most_of_device) {
      keys_there_ = DeviceMemory{keys_.bytes()};
      fill_on_device(distribution_, input_, keys_there_.data(), stream_);
    }
    digest_ = digest_input(restore(), case_problem(c), threads_);
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

  const InputDigest& digest() const { return digest_; }
  std::optional<double> entropy_bits() const { return distribution_.distribution->entropy_bits(input_); }

 private:
  NamedDistribution distribution_;
  Input input_;
  ValueType value_;
  cudaStream_t stream_;
  int threads_;
  HostArray keys_;
  HostArray values_;
  DeviceMemory keys_there_;  ///< empty if there are too many keys
  InputDigest digest_;
};

}  // namespace sortlab
