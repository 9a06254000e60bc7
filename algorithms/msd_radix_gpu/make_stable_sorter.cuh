// Declares the stable sorter of a key and value type; each is compiled in a file of its own.
#pragma once

#include "algorithms/common/cuda/bucket_sorter.hpp"
#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/plugin.hpp"

namespace sortlab::msd_gpu {

template <class Word, class V>
std::unique_ptr<Sorter> make_stable_sorter(const Problem& problem, KeyOrder<Word> order, const Resources& resources);

/// The same without a second array of its own.
template <class Word, class V>
std::unique_ptr<BucketSorter> make_stable_bucket_sorter(const Problem& problem, KeyOrder<Word> order,
                                                        const Resources& resources);

}  // namespace sortlab::msd_gpu
