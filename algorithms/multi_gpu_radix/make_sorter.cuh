// Declares the sorter of a key and value type; each is compiled in a file of its own.
#pragma once

#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/multi_gpu_radix/plan.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::multi_gpu {

template <class Word, class V>
std::unique_ptr<Sorter> make_shard_sorter(const Problem& problem, const Settings& settings, KeyOrder<Word> order,
                                          const Resources& resources);

}  // namespace sortlab::multi_gpu
