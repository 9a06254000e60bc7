#include "models/kernels/compiled_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/kernels/operation_counts.hpp"

namespace sortlab {
namespace {

constexpr double kWarp = 32;
// Limits of a multiprocessor of compute capability 9.0.
constexpr double kRegisters = 65536;
constexpr double kMaxWarps = 64;
constexpr double kMaxBlocks = 32;
constexpr double kDependentIssue = 4;  ///< cycles of an instruction on which the next depends (device_kernel.cpp)

}  // namespace

double compiled_kernel_seconds(const DeviceCosts& costs, double tiles, double elements,
                               const ExecutedOperations& executed, const GridShape& shape, const Traffic& traffic) {
  const MachineProfile& device = costs.profile();
  const double warps = shape.threads / kWarp;
  const double registers = std::ceil(shape.registers / 8.0) * 8 * shape.threads;
  const double resident = std::min({kMaxBlocks, kMaxWarps / warps, kRegisters / registers,
                                    kCountedSharedBytes / std::max(1024.0, shape.shared_bytes)});
  TileWork tile{.resident = std::max(1, static_cast<int>(resident)), .instructions = executed.instructions / kWarp};
  tile.issue = std::max(tile.instructions / device.at("issue.ffma"), executed.alu / kWarp / device.at("issue.lop3"));
  if (executed.multiplied > 0) {
    tile.issue = std::max(tile.issue, executed.multiplied / kWarp / device.at("issue.imad"));
  }
  if (executed.slow > 0) tile.issue = std::max(tile.issue, executed.slow / kWarp / device.at("issue.popc"));
  tile.shared = executed.wavefronts / kWarp * device.at("shared_load", {1});
  std::vector<double> pipes{tile.issue, tile.shared};
  if (executed.votes > 0) pipes.push_back(executed.votes / kWarp * device.at("match", {1}));
  tile.cycles = overlapped(pipes, device.at("overlap.copy_shared"));
  tile.chain = kDependentIssue * tile.instructions / warps;
  const PhasePrediction kernel = costs.kernel({.phase = "",
                                               .tiles = std::max(1.0, tiles),
                                               .persistent = shape.persistent,
                                               .drifts = shape.drifts,
                                               .apart = shape.apart,
                                               .elements = elements,
                                               .round_trips = shape.round_trips,
                                               .chained = shape.chained,
                                               .traffic = traffic,
                                               .tile = tile});
  costs.keep_operations(kernel);
  return kernel.seconds;
}

}  // namespace sortlab
