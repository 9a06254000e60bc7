// Definition of make_sorter, for the files that instantiate it for their types.
#pragma once

#include "algorithms/msd_radix_gpu/sorter.cuh"
#include "algorithms/msd_radix_gpu/top_counter.cuh"

namespace sortlab::msd_gpu {

template <class Word, class V>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, const Plan& plan, KeyOrder<Word> order,
                                    const Resources& resources) {
  return std::make_unique<MsdRadixSorter<Word, V>>(problem, plan, order, resources);
}

template <class Word, class V>
std::unique_ptr<BucketSorter> make_bucket_sorter(const Problem& problem, const Plan& plan, KeyOrder<Word> order,
                                                 const Resources& resources) {
  return std::make_unique<MsdRadixSorter<Word, V>>(problem, plan, order, resources, false);
}

template <class Word>
std::unique_ptr<TopCounter> make_top_counter(KeyOrder<Word> order, const Resources& resources) {
  if constexpr (kTopBits < kTopCountBits)
    return nullptr;
  else
    return std::make_unique<MsdTopCounter<Word>>(order, resources);
}

}  // namespace sortlab::msd_gpu
