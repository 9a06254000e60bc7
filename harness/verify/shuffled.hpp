// A test if keys lie in no order, so that a sort of them has work to divide.
#pragma once

#include "algorithms/plugin.hpp"

namespace sortlab {

/// True if among neighbours, of which it looks at a thousand, many ascend and many descend: neither sorted, reversed or
/// constant keys do, nor a few runs. Keys of fixed width.
bool is_shuffled(const Buffers& elements, const Problem& problem);

}  // namespace sortlab
