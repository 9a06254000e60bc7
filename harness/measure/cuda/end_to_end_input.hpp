// The input of a block in the host's memory, where a device copies it from: made anew before every sort.
#pragma once

#include <optional>

#include "core/affinity.hpp"
#include "core/cuda/device_memory.hpp"
#include "core/pages.hpp"
#include "harness/cell/problem.hpp"
#include "harness/measure/cuda/device_input.hpp"

namespace sortlab {

/// Memory of the host that a device copies from and to: page-locked, or like any other.
class HostArray {
 public:
  /// Throws std::bad_alloc.
  HostArray(HostMemory kind, std::uint64_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    if (kind == HostMemory::pinned) {
      check(cudaHostAlloc(&pinned_, bytes, cudaHostAllocDefault));
    } else {
      pageable_ = Pages(bytes, PageKind::huge);
    }
  }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  ~HostArray() { cudaFreeHost(pinned_); }

  void* data() const { return pinned_ != nullptr ? pinned_ : pageable_.data(); }
  std::uint64_t bytes() const { return bytes_; }
  Array array(std::uint64_t count) const { return {.data = data(), .count = count}; }

 private:
  std::uint64_t bytes_;
  void* pinned_ = nullptr;
  Pages pageable_;
};

class EndToEndInput {
 public:
  /// Throws std::bad_alloc and DeviceError.
  EndToEndInput(const Case& c, cudaStream_t stream, std::uint64_t device_bytes)
      : distribution_(c.distribution),
        input_(input_of(c)),
        value_(c.value),
        stream_(stream),
        threads_(static_cast<int>(allowed_cpus().size())),
        keys_(c.host_memory, c.n * size_of(c.key)),
        values_(c.host_memory, c.n * size_of(c.value)) {
    // Of what is larger, sorts that take a device's memory would find too little left, or none.
    constexpr std::uint64_t most_of_device = 4;  // a quarter
    if (2 * keys_.bytes() + values_.bytes() <= device_bytes / most_of_device) {
      there_.emplace(c, stream);
      digest_ = there_->digest();
    } else {
      digest_ = digest_of(restore(), problem_of(c), threads_);
    }
  }

  /// Made on the device and fetched, which is quicker than copying on the host; or, larger, by all cores of the host.
  Buffers restore() {
    Buffers buffers{.keys = keys_.array(input_.n), .values = {}};
    if (values_.bytes() > 0) buffers.values = values_.array(input_.n);
    if (!there_) {
      distribution_.distribution->fill(input_, keys_.data(), threads_);
      if (values_.bytes() > 0) fill_values(value_, input_.n, values_.data(), threads_);
      return buffers;
    }
    const Buffers from = there_->restore();
    check(cudaMemcpyAsync(keys_.data(), from.keys.data, keys_.bytes(), cudaMemcpyDeviceToHost, stream_));
    if (values_.bytes() > 0) {
      check(cudaMemcpyAsync(values_.data(), from.values.data, values_.bytes(), cudaMemcpyDeviceToHost, stream_));
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
  std::optional<DeviceInput> there_;
  InputDigest digest_;
};

}  // namespace sortlab
