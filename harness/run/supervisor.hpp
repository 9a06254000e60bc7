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
  double longest_stop_s = 3600;           ///< time for which a worker may stand still, stopped by a signal
  bool wait_for_quiet = false;            ///< BlockTask::wait_for_quiet
  std::string huge_pages{};               ///< BlockTask::huge_pages
};

struct SupervisorCalls {
  std::function<void(const Cell&)> running;                         ///< a sample of this cell has arrived
  std::function<void(const Cell&, const CellResult&)> finished;     ///< once for each cell, except unfinished ones
  std::function<void(const Cell&, int turns)> turn_over = nullptr;  ///< after each of its turns but the last
};

/// Measures all cells. The samples of a cell come from several workers: all blocks of a stretch have their first turn
/// in one worker, then their second in the next, and so on, so that a cell's turns are spread over the stretch.
///
/// A worker that crashes, or exceeds the time limit of a step, costs its current cell at most; the next worker
/// continues with the other cells and keeps their samples. A cell that is lost in a worker that had run other sorts is
/// measured again, alone in a new worker, since one of the others may be at fault; it is lost if that fails too. While
/// supervisor or worker is suspended, by a signal or with the machine, no step's time runs. Where the time budget ends
/// or a signal asks for the end, cells with min_samples are finished with what they have. Returns the number of cells
/// that are left. An exception from `finished` ends the run.
std::size_t supervise(const std::vector<Block>& blocks, const SupervisorOptions& options, const SupervisorCalls& calls);

}  // namespace sortlab
