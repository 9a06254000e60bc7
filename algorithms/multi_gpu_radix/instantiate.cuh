// Definition of make_shard_sorter, for the files that instantiate it for their types.
#pragma once

#include "algorithms/multi_gpu_radix/sorter.cuh"

namespace sortlab::multi_gpu {

template <class Word, class V>
std::unique_ptr<Sorter> make_shard_sorter(const Problem& problem, const Settings& settings, KeyOrder<Word> order,
                                          const Resources& resources) {
  return std::make_unique<ShardSorter<Word, V>>(problem, settings, order, resources);
}

}  // namespace sortlab::multi_gpu
