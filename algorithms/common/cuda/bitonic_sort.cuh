// Bitonic sort of a few elements in shared memory, by one block of any size.
#pragma once

#include <cstdint>

#include "algorithms/common/cuda/networks.cuh"
#include "core/key_types.hpp"

namespace sortlab {

/// Sorts `count` keys ascending as unsigned words, and the values with them unless V is NoValue. Not stable. Called by
/// all threads of the block.
template <class Word, class V>
__device__ void bitonic_sort(Word* keys, V* values, std::uint32_t count) {
  bitonic_network(count, [&](std::uint32_t low, std::uint32_t high) {
    const Word a = keys[low], b = keys[high];
    if (!(b < a)) return;
    keys[low] = b;
    keys[high] = a;
    if constexpr (!std::is_same_v<V, NoValue>) {
      const V value = values[low];
      values[low] = values[high];
      values[high] = value;
    }
  });
}

}  // namespace sortlab
