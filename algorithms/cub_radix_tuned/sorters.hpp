// The sorters of each width, in files of their own to share the compiler's work.
#pragma once

#include <memory>

#include "algorithms/cub_radix_tuned/plan.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::cub_tuned {

/// u32 keys, alone or with u32 values.
std::unique_ptr<Sorter> make_of_32(const Problem&, const Setting&, const Resources&);
/// u64 keys, alone or with u64 values.
std::unique_ptr<Sorter> make_of_64(const Problem&, const Setting&, const Resources&);

}  // namespace sortlab::cub_tuned
