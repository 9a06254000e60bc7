// Declares the sorter of a key and value type; each is compiled in a file of its own.
#pragma once

#include "algorithms/common/cuda/bucket_sorter.hpp"
#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/msd_radix_gpu/plan.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::msd_gpu {

template <class Word, class V>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, const Plan& plan, KeyOrder<Word> order,
                                    const Resources& resources);

/// The same for elements in buckets.
template <class Word, class V>
std::unique_ptr<BucketSorter> make_bucket_sorter(const Problem& problem, const Plan& plan, KeyOrder<Word> order,
                                                 const Resources& resources);

/// Null if shared memory is too small for the counters.
template <class Word>
std::unique_ptr<TopCounter> make_top_counter(KeyOrder<Word> order, const Resources& resources);

}  // namespace sortlab::msd_gpu
