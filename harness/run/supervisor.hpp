// Runs blocks in a worker process and survives its crashes and hangs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/cell/result.hpp"

namespace sortlab {

class StopSignals;

struct SupervisorOptions {
  std::optional<double> time_budget_s;    ///< no block begins after it; cells with too few samples are left
  std::uint64_t worker_memory_bytes = 0;  ///< 0: what is available now, less a twentieth
  const StopSignals* stop = nullptr;      ///< one that was caught ends the run: cells not done within grace_s are left
  double grace_s = 0;                     ///< how long the current block may go on after the first signal
  std::string dump{};                     ///< BlockTask::dump
};

struct SupervisorCalls {
  std::function<void(const Cell&)> running;                      ///< a sample of this cell came in
  std::function<void(const Cell&, const CellResult&)> finished;  ///< once for each cell, except unfinished ones
};

/// Measures all cells. A worker that crashes, or is silent for longer than a step of its cell may take, costs that
/// cell; the next worker continues with the others and keeps their samples. A worker that dies between cells costs
/// nothing, but an input that kills two workers loses its block. While supervisor or worker is suspended, stopped by
/// a signal or asleep with the machine, no step's time runs. Returns how many cells are left because the time budget
/// ended or a signal asked for the end. What `finished` throws ends the run.
std::size_t supervise(const std::vector<Block>& blocks, const SupervisorOptions& options, const SupervisorCalls& calls);

}  // namespace sortlab
