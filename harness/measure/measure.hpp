// Measures the cells of a block inside a worker. Samples are taken in turn, in random order, and each is verified.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/cell/timed_sample.hpp"
#include "harness/measure/event.hpp"
#include "harness/measure/stopping_rule.hpp"
#include "harness/measure/testbed.hpp"

namespace sortlab {

/// A block as a worker receives it, with the samples of earlier workers.
struct BlockTask {
  Block cells;
  std::vector<std::vector<TimedSample>> samples;  ///< earlier samples of each cell
  std::vector<Turn> turns;                        ///< the current turn of each cell
  std::vector<double> spent_s;                    ///< seconds spent on each cell before
  std::optional<double> time_left_s;              ///< time after which all turns end
  std::uint64_t first_round = 0;                  ///< the first round of inputs (input_seed.hpp) that no sample has had
  std::uint64_t order_seed = 0;                   ///< seed of the random order of samples
  bool meters_energy = false;                     ///< instead of taking samples
  bool wait_for_quiet = false;                    ///< samples wait until their processors are free
  std::string huge_pages{};                       ///< their setting as the run's record has it; empty: no record
  std::string dump{};  ///< folder for input and output of each cell's first and wrong samples; empty: none
};

/// Takes the samples of a turn of each cell, or meters the energy of each. Cells whose scratch memory does not fit
/// beside the others are measured after them. Throws TestbedLost once the cell at fault has been reported; this process
/// can then measure nothing more.
void measure_block(const BlockTask& task, WorkerResources& worker, NowDoing& now, const ReportEvent& report);

}  // namespace sortlab
