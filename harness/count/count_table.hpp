// Counts as people read them, beside what a model says of the same phases.
#pragma once

#include <string>

#include "harness/count/count_cells.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

/// A row a phase, summed over its passes, in counts an element. Below each, the operations that the model of this
/// algorithm has of the phase, with the ratio to what was counted, if there is a model and `machine` is not null.
std::string count_table(const Case& c, const CellCounts& counts, const MachineProfile* machine);

}  // namespace sortlab
