// Definition of make_sorter, for the files that instantiate it for their types.
#pragma once

#include "algorithms/stehle_hybrid_radix/hybrid_sorter.cuh"
#include "algorithms/stehle_hybrid_radix/make_sorter.cuh"

namespace sortlab::hybrid_radix {

template <class Word, class V>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, KeyOrder<Word> order, const Settings& settings,
                                    const Resources& resources) {
  if (offset_bytes(problem.n) == sizeof(std::uint32_t)) {
    return std::make_unique<HybridSorter<Word, V, std::uint32_t>>(problem, order, settings, resources);
  }
  return std::make_unique<HybridSorter<Word, V, unsigned long long>>(problem, order, settings, resources);
}

}  // namespace sortlab::hybrid_radix
