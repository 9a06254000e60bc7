// A device sort for host arrays: copy to the device, sort, copy back.
#pragma once

#include "algorithms/plugin.hpp"

namespace sortlab {

/// Wraps `on_device`, prepared for `problem` with `resources`, into a sorter for host arrays. Its sort() returns when
/// the result is back on the host. Its device arrays begin `skipped` elements after an aligned address. This function
/// is null in a build without CUDA.
[[gnu::weak]] std::unique_ptr<Sorter> end_to_end(std::unique_ptr<Sorter> on_device, const Problem& problem,
                                                 const Resources& resources, std::uint64_t skipped = 0);

}  // namespace sortlab
