// A table of counts beside a model's work for the same phases.
#pragma once

#include <string>

#include "harness/count/count_cells.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

/// One row per phase, summed over its passes, in counts per element. Below it, the operations of the algorithm's model
/// with their ratio to the count, if there is a model and `machine` is not null.
std::string count_table(const Case& c, const CellCounts& counts, const MachineProfile* machine);

}  // namespace sortlab
