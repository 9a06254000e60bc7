// Batcher's networks for any number of elements in shared memory, by one block of any size. Every comparator puts the
// smaller element at the lower position, so one that reaches beyond the last element would never exchange, and is left
// out. Synchronises the block before and after.
#pragma once

#include <cstdint>

namespace sortlab {

/// Calls `order(low, high)` for each comparator of odd-even merge sort, by all threads of a block.
template <class Order>
__device__ void odd_even_network(std::uint32_t count, const Order& order) {
  std::uint32_t pairs = 1;
  while (2 * pairs < count) pairs *= 2;
  for (std::uint32_t half = 1; half <= pairs; half *= 2) {  // merges sorted halves
    __syncthreads();
    for (std::uint32_t p = threadIdx.x; p < pairs; p += blockDim.x) {
      const std::uint32_t low = 2 * p - (p & (half - 1));
      if (low + half < count) order(low, low + half);
    }
    for (std::uint32_t stride = half / 2; stride > 0; stride /= 2) {
      __syncthreads();
      for (std::uint32_t p = threadIdx.x; p < pairs; p += blockDim.x) {
        const std::uint32_t high = 2 * p - (p & (stride - 1));
        if ((p & (half - 1)) >= stride && high < count) order(high - stride, high);
      }
    }
  }
  __syncthreads();
}

/// Calls `order(low, high)` for each comparator of bitonic sort, whose first comparators of a merge mirror the upper
/// half.
template <class Order>
__device__ void bitonic_network(std::uint32_t count, const Order& order) {
  std::uint32_t pairs = 1;
  while (2 * pairs < count) pairs *= 2;
  for (std::uint32_t half = 1; half <= pairs; half *= 2) {
    __syncthreads();
    for (std::uint32_t p = threadIdx.x; p < pairs; p += blockDim.x) {
      const std::uint32_t in_half = p & (half - 1), first = 2 * (p - in_half);
      const std::uint32_t high = first + 2 * half - 1 - in_half;
      if (high < count) order(first + in_half, high);
    }
    for (std::uint32_t stride = half / 2; stride > 0; stride /= 2) {
      __syncthreads();
      for (std::uint32_t p = threadIdx.x; p < pairs; p += blockDim.x) {
        const std::uint32_t low = 2 * p - (p & (stride - 1));
        if (low + stride < count) order(low, low + stride);
      }
    }
  }
  __syncthreads();
}

}  // namespace sortlab
