// Bitonic sort of a few elements in shared memory, by one block of any size.
#pragma once

#include <cstdint>

#include "core/key_types.hpp"

namespace sortlab {

/// Sorts `count` keys ascending as unsigned words, and the values with them unless V is NoValue; not stable. All
/// threads of the block call it; what they wrote before is seen, and the result is by all when it returns. Each merge
/// begins with a mirrored step, so that all comparators point the same way: elements that are missing to a power of two
/// would stay behind the last, and need not be there.
template <class Word, class V>
__device__ void bitonic_sort(Word* keys, V* values, std::uint32_t count) {
  const auto order = [&](std::uint32_t low, std::uint32_t high) {
    if (high >= count) return;
    const Word a = keys[low], b = keys[high];
    if (b < a) {
      keys[low] = b;
      keys[high] = a;
      if constexpr (!std::is_same_v<V, NoValue>) {
        const V value = values[low];
        values[low] = values[high];
        values[high] = value;
      }
    }
  };
  std::uint32_t pairs = 1;
  while (2 * pairs < count) pairs *= 2;
  __syncthreads();
  for (std::uint32_t half = 1; half < count; half *= 2) {  // merges sorted halves
    for (std::uint32_t pair = threadIdx.x; pair < pairs; pair += blockDim.x) {
      const std::uint32_t in_half = pair & (half - 1);
      const std::uint32_t first = 2 * (pair - in_half);
      order(first + in_half, first + 2 * half - 1 - in_half);
    }
    __syncthreads();
    for (std::uint32_t stride = half / 2; stride > 0; stride /= 2) {
      for (std::uint32_t pair = threadIdx.x; pair < pairs; pair += blockDim.x) {
        const std::uint32_t low = 2 * pair - (pair & (stride - 1));
        order(low, low + stride);
      }
      __syncthreads();
    }
  }
}

}  // namespace sortlab
