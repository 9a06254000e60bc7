// Definition of make_stable_sorter, for the files that instantiate it for their types.
#pragma once

#include "algorithms/msd_radix_gpu/stable_sorter.cuh"

namespace sortlab::msd_gpu {

template <class Word, class V>
std::unique_ptr<Sorter> make_stable_sorter(const Problem& problem, KeyOrder<Word> order, const Resources& resources) {
  return std::make_unique<stable::StableSorter<Word, V>>(problem, order, resources);
}

template <class Word, class V>
std::unique_ptr<BucketSorter> make_stable_bucket_sorter(const Problem& problem, KeyOrder<Word> order,
                                                        const Resources& resources) {
  return std::make_unique<stable::StableSorter<Word, V>>(problem, order, resources, false);
}

}  // namespace sortlab::msd_gpu
