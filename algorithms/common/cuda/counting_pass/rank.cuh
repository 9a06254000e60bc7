// The global rank: an exclusive scan of the tiles' counts, digit by digit.
#pragma once

#include <cub/device/device_scan.cuh>

#include "core/cuda/device_memory.hpp"

namespace sortlab::ha {

struct Sum {
  __host__ __device__ std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

/// Counts and their scan for a fixed number of tiles and digits. The scan has 64 bits, since n may have more than 32.
class GlobalRank {
 public:
  GlobalRank(std::uint64_t tiles, int digits, cudaStream_t stream)
      : stream_(stream), counts_((tiles * digits + 1) * 4), offsets_((tiles * digits + 1) * 8) {
    std::size_t bytes = 0;
    check(scan(nullptr, bytes, tiles * digits + 1));
    temporary_ = DeviceMemory{bytes};
  }

  std::uint32_t* counts() const { return counts_.data<std::uint32_t>(); }
  const std::uint64_t* offsets() const { return offsets_.data<std::uint64_t>(); }
  std::uint64_t bytes() const { return counts_.size() + offsets_.size() + temporary_.size(); }

  /// Resets all offsets to 0.
  void clear() { check(cudaMemsetAsync(offsets_.data(), 0, offsets_.size(), stream_)); }

  /// Scans `entries` counts, at most as many as planned.
  void launch(std::uint64_t entries) {
    std::size_t bytes = temporary_.size();
    check(scan(temporary_.data(), bytes, entries));
  }

 private:
  cudaError_t scan(void* temporary, std::size_t& bytes, std::uint64_t entries) const {
    return cub::DeviceScan::ExclusiveScan(temporary, bytes, counts(), offsets_.data<std::uint64_t>(), Sum{},
                                          std::uint64_t{0}, static_cast<std::int64_t>(entries), stream_);
  }

  cudaStream_t stream_;
  DeviceMemory counts_;
  DeviceMemory offsets_;
  DeviceMemory temporary_;
};

}  // namespace sortlab::ha
