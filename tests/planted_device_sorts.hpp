// Sorts on a device that go wrong there on purpose.
#pragma once

#include "algorithms/plugin.hpp"

namespace sortlab {

enum class Misbehaviour { none, illegal_address, endless_loop, launch_failure, out_of_memory, disorder, doubled_key };

/// Sorts u32 keys by `sorter`, and misbehaves from its second call on: the first is the warm-up.
std::unique_ptr<Sorter> make_planted(std::unique_ptr<Sorter> sorter, Misbehaviour misbehaviour,
                                     const Resources& resources);

}  // namespace sortlab
