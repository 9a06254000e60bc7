// Declares the sorter of a key and value type; those of one key width are compiled in a file of their own.
#pragma once

#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/leischner_sample_sort/plan.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::sample_sort {

template <class Word, class V>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, KeyOrder<Word> order, const Settings& settings,
                                    const Resources& resources);

}  // namespace sortlab::sample_sort
