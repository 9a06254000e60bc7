// Measures the cells of a block, inside a worker: samples in turn, in random order, each verified.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/cell/timed_sample.hpp"
#include "harness/measure/event.hpp"
#include "harness/measure/testbed.hpp"

namespace sortlab {

/// A block as a worker receives it. Samples that an earlier worker took before it died count.
struct BlockTask {
  Block cells;
  std::vector<std::vector<TimedSample>> samples;  ///< of each cell, taken before
  std::vector<double> spent_s;                    ///< by each cell, before
  std::optional<double> time_left_s;              ///< then cells with min_samples end and others are dropped
  std::uint64_t order_seed = 0;                   ///< of the random order of samples
  std::string dump{};  ///< a folder for what each cell's first and wrong samples sorted; empty: none
};

/// Cells whose scratch memory does not fit beside the others' are measured after them. Throws TestbedLost once the cell
/// at fault has been reported; this process can then measure nothing more.
void measure_block(const BlockTask& task, WorkerResources& worker, NowDoing& now, const ReportEvent& report);

}  // namespace sortlab
