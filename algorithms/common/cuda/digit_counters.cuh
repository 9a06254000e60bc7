// Destinations per digit and tile: the counters of a pass of a radix sort, ordered by digit, then by tile, and their
// exclusive prefix sum.
#pragma once

#include <cub/device/device_scan.cuh>

#include "core/cuda/device_memory.hpp"

namespace sortlab {

class DigitCounters {
 public:
  /// At most 2^32 - 1 keys per tile; any number of keys in total.
  DigitCounters(int digits, std::uint64_t tiles)
      : size_(static_cast<std::uint64_t>(digits) * tiles + 1),
        counts_(size_ * sizeof(std::uint32_t)),
        offsets_(size_ * sizeof(std::uint64_t)) {
    std::size_t bytes = 0;
    check(scan(nullptr, bytes, nullptr));
    temporary_ = DeviceMemory{bytes};
    // Never written by a count, but read by the scan
    check(cudaMemset(counts() + size_ - 1, 0, sizeof(std::uint32_t)));
    check(cudaStreamSynchronize(cudaStreamLegacy));
  }

  std::uint32_t* counts() const { return counts_.data<std::uint32_t>(); }  ///< at digit * tiles + tile
  /// Offsets in the same order, and the number of keys at the end, so that a count is the difference of neighbouring
  /// offsets.
  const std::uint64_t* offsets() const { return offsets_.data<std::uint64_t>(); }
  std::uint64_t bytes() const { return counts_.size() + offsets_.size() + temporary_.size(); }

  /// Resets counts and offsets to 0.
  void clear(cudaStream_t stream) const {
    check(cudaMemsetAsync(counts_.data(), 0, counts_.size(), stream));
    check(cudaMemsetAsync(offsets_.data(), 0, offsets_.size(), stream));
  }
  void scan(cudaStream_t stream) const {
    std::size_t bytes = temporary_.size();
    check(scan(temporary_.data(), bytes, stream));
  }

 private:
  cudaError_t scan(void* temporary, std::size_t& bytes, cudaStream_t stream) const {
    return cub::DeviceScan::ExclusiveScan(temporary, bytes, counts_.data<std::uint32_t>(),
                                          offsets_.data<std::uint64_t>(), cuda::std::plus<>{}, std::uint64_t{0}, size_,
                                          stream);
  }

  std::uint64_t size_;
  DeviceMemory counts_;
  DeviceMemory offsets_;
  DeviceMemory temporary_;
};

}  // namespace sortlab
