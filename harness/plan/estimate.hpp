// Estimates of a cell's duration, for the remaining time and for --dry-run.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/cell/cell.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

/// Seconds that metering a cell's energy takes: three windows of 3 s with sorts, and those around them.
inline constexpr std::uint64_t kMeteringEstimate_s = 16;

/// Estimated wall seconds of each cell: the time of one sort and of what is around it, times the number of samples that
/// the protocol takes within its budget. The time comes from the first model of the algorithm, or is n log n without
/// model or profile.
std::vector<double> estimate_seconds(const std::vector<Cell>& cells, const MachineProfile* profile);

/// The estimate for a nominal machine in whole nanoseconds, without profile and model, so that every machine computes
/// the same number. Its rates are those of a host and a device of 2025 within a factor of a few. It serves to
/// distribute the blocks of a config over shards, for which the protocol's budgets and relative times suffice.
std::uint64_t nominal_ns(const Cell& cell);

}  // namespace sortlab
