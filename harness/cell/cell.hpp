// Cells, in blocks, which the stages pass on.
#pragma once

#include <vector>

#include "harness/cell/case.hpp"
#include "harness/cell/protocol.hpp"

namespace sortlab {

/// A case with the way to measure it.
struct Cell {
  Case subject;  ///< the case that is measured
  Protocol protocol;
};

/// Cells on the same input (residency and kind of host memory, key and value type, n, distribution, seed): it is made
/// once, and their samples are taken in turn.
using Block = std::vector<Cell>;

}  // namespace sortlab
