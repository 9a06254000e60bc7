// Sorters of each element width, each in a file of its own to divide the compile time.
#pragma once

#include <memory>

#include "algorithms/cub_radix_tuned/plan.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::cub_tuned {

/// Sorter of u32 keys, without values or with u32 values.
std::unique_ptr<Sorter> make_sorter_32(const Problem&, const Setting&, const Resources&);
/// Sorter of u64 keys, without values or with u64 values.
std::unique_ptr<Sorter> make_sorter_64(const Problem&, const Setting&, const Resources&);

}  // namespace sortlab::cub_tuned
