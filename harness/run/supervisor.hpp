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
  std::optional<double> time_budget_s;    ///< time after which no block begins, and cells with too few samples are left
  std::uint64_t worker_memory_bytes = 0;  ///< memory limit of a worker; 0: the memory available now, less a twentieth
  const StopSignals* stop = nullptr;      ///< signals that end the run; cells not done within grace_s are left
  double grace_s = 0;                     ///< time that the current block may take after the first signal
  std::string dump{};                     ///< BlockTask::dump
  bool wait_for_quiet = false;            ///< BlockTask::wait_for_quiet
};

struct SupervisorCalls {
  std::function<void(const Cell&)> running;                      ///< a sample of this cell has arrived
  std::function<void(const Cell&, const CellResult&)> finished;  ///< once for each cell, except unfinished ones
};

/// Measures all cells. A worker that crashes, or exceeds the time limit of a step, costs its current cell; the next
/// worker continues with the other cells and keeps their samples. A worker that dies between cells costs nothing, but
/// an input that kills two workers loses its block. While supervisor or worker is suspended, by a signal or with the
/// machine, no step's time runs. Returns the number of cells that are left because the time budget ended or a signal
/// asked for the end. An exception from `finished` ends the run.
std::size_t supervise(const std::vector<Block>& blocks, const SupervisorOptions& options, const SupervisorCalls& calls);

}  // namespace sortlab
