// Device memory that a sort takes from CUDA's pool inside the timed call.
#pragma once

#include <cstdint>

#include "core/cuda/check.hpp"

namespace sortlab {

class DeviceAllocations {
 public:
  explicit DeviceAllocations(int device) { check(cudaDeviceGetDefaultMemPool(&pool_, device)); }

  /// Begins to count. Called before the sort.
  void start() {
    std::uint64_t zero = 0;  // resets the mark to what is used now
    check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrUsedMemHigh, &zero));
    used_ = high_mark();
  }

  /// The most bytes that the sort had from the process's pool (cudaMallocAsync) at one time. What it takes by
  /// cudaMalloc is not among them: cudaFree makes it wait for the device, which the held stream shows. To be called
  /// once the sort's work is done.
  std::uint64_t bytes() const { return high_mark() - used_; }

 private:
  std::uint64_t high_mark() const {
    std::uint64_t bytes = 0;
    check(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemHigh, &bytes));
    return bytes;
  }

  cudaMemPool_t pool_ = nullptr;
  std::uint64_t used_ = 0;
};

}  // namespace sortlab
