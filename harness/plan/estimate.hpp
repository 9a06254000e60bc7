// How long a cell will take, before it is run: for the time left, and for --dry-run.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/cell/cell.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

/// Wall seconds of each cell: one sort by the first model of its algorithm, or by a plain n log n where there is no
/// model or no profile; times the samples that the protocol will take, within its budget.
std::vector<double> estimates_of(const std::vector<Cell>& cells, const MachineProfile* profile);

/// The same for a nominal machine: no profile, no model, the rates of a host and a device of 2025 within a factor of a
/// few, in whole nanoseconds, so that every machine finds the same number. What it is for, dealing out the blocks
/// of a config, needs the protocol's budgets and the proportions of the rest.
std::uint64_t nominal_ns(const Cell& cell);

}  // namespace sortlab
