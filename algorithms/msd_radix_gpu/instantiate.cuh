// Definition of make_sorter, for the files that instantiate it for their types.
#pragma once

#include "algorithms/msd_radix_gpu/sorter.cuh"

namespace sortlab::msd_gpu {

template <class Word, class V>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, const Plan& plan, KeyOrder<Word> order,
                                    const Resources& resources) {
  return std::make_unique<MsdRadixSorter<Word, V>>(problem, plan, order, resources);
}

}  // namespace sortlab::msd_gpu
