// Sorts elements in shared memory by one of Batcher's networks.
#pragma once

#include "algorithms/common/cuda/networks.cuh"
#include "algorithms/leischner_sample_sort/plan.hpp"

namespace sortlab::sample_sort {

/// Sorts keys in shared memory, and `from` with them unless it is null. Called by all threads of a block.
template <class Word>
__device__ void sort_by_network(Network network, Word* keys, std::uint16_t* from, std::uint32_t count) {
  const auto order = [&](std::uint32_t low, std::uint32_t high) {
    const Word a = keys[low], b = keys[high];
    if (!(b < a)) return;
    keys[low] = b;
    keys[high] = a;
    if (from == nullptr) return;
    const std::uint16_t other = from[low];
    from[low] = from[high];
    from[high] = other;
  };
  if (network == Network::odd_even) {
    odd_even_network(count, order);
  } else {
    bitonic_network(count, order);
  }
}

}  // namespace sortlab::sample_sort
