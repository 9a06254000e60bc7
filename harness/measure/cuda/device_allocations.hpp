// Device memory that a sort allocates inside the timed call.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cuda/check.hpp"

namespace sortlab {

class DeviceAllocations {
 public:
  explicit DeviceAllocations(int device) { check(cudaDeviceGetDefaultMemPool(&pool_, device)); }

  /// To be called before the sort.
  void start() {
    std::uint64_t zero = 0;  // resets the mark to what is used now
    check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrUsedMemHigh, &zero));
    used_ = attribute(cudaMemPoolAttrUsedMemHigh);
    outside_ = outside_the_pool();
  }

  /// The most bytes of the pool that the sort had at one time, and those outside it that it allocated and kept. What it
  /// allocates outside the pool and frees again is not among them, but makes it wait for the device. To be called once
  /// the sort's work is done.
  std::uint64_t bytes() const {
    const std::uint64_t kept = outside_the_pool();
    return attribute(cudaMemPoolAttrUsedMemHigh) - used_ + (kept > outside_ ? kept - outside_ : 0);
  }

 private:
  std::uint64_t attribute(cudaMemPoolAttr name) const {
    std::uint64_t value = 0;
    check(cudaMemPoolGetAttribute(pool_, name, &value));
    return value;
  }
  /// Bytes of the device in use that the pool has not reserved.
  std::uint64_t outside_the_pool() const {
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all));
    return all - free - std::min<std::uint64_t>(attribute(cudaMemPoolAttrReservedMemCurrent), all - free);
  }

  cudaMemPool_t pool_ = nullptr;
  std::uint64_t used_ = 0;
  std::uint64_t outside_ = 0;
};

}  // namespace sortlab
