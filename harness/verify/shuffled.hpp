// A test if keys lie in no order, so that a sort of them has work to divide.
#pragma once

#include "algorithms/plugin.hpp"

namespace sortlab {

/// True if many of a thousand keys are greater or less than both neighbours: neither in sorted, reversed or constant
/// keys nor in a few runs are there many. Keys of fixed width.
bool is_shuffled(const Buffers& elements, const Problem& problem);

}  // namespace sortlab
