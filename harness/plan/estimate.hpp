// How long a cell will take, before it is run: for the time left, and for --dry-run.
#pragma once

#include <vector>

#include "harness/cell/cell.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

/// Wall seconds of each cell: one sort by the first model of its algorithm, or by a plain n log n where there is no
/// model or no profile; times the samples that the protocol will take, within its budget.
std::vector<double> estimates_of(const std::vector<Cell>& cells, const MachineProfile* profile);

}  // namespace sortlab
