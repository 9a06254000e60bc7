// Estimates a cell's duration before it runs: for the remaining time, and for --dry-run.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/cell/cell.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

/// Wall seconds of each cell: one sort by the first model of its algorithm, or by a plain n log n where there is no
/// model or no profile; times the samples that the protocol will take, within its budget.
std::vector<double> estimate_seconds(const std::vector<Cell>& cells, const MachineProfile* profile);

/// The same for a nominal machine: no profile, no model, the rates of a host and a device of 2025 within a factor of a
/// few, in whole nanoseconds, so that every machine finds the same number. Its use, distributing the blocks of a config
/// over shards, needs only the protocol's budgets and relative times.
std::uint64_t nominal_ns(const Cell& cell);

}  // namespace sortlab
