// Declares the sorter of a key and value type; each is compiled in a file of its own.
#pragma once

#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/stehle_hybrid_radix/settings.hpp"

namespace sortlab::hybrid_radix {

template <class Word, class V>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, KeyOrder<Word> order, const Settings& settings,
                                    const Resources& resources);

}  // namespace sortlab::hybrid_radix
