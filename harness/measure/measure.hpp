// Measures the cells of a block, inside a worker: samples in turn, in random order, each verified.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "harness/measure/testbed.hpp"
#include "harness/plan/plan.hpp"

namespace sortlab {

/// A block as a worker gets it. What an earlier worker, dead since, measured of its cells counts.
struct BlockTask {
  Block cells;
  std::vector<std::vector<TimedSample>> samples;  ///< of each cell, taken before
  std::vector<double> spent_s;                    ///< by each cell, before
  std::optional<double> time_left_s;              ///< then cells with min_samples are done and others are dropped
  std::uint64_t order_seed = 0;                   ///< of the random order of samples
};

/// Events for the supervisor, each a JSON object with `event`:
///
///   input    entropy_bits, device (null on the host)
///   prepared cell, scratch_bytes, affinity
///   sample   cell, seconds, clock_hz, core_share, phases [[name, pass, begin_s, end_s]], counters, verification,
///   spent_s done     cell, stopped lost     cell, status (failed or wrong), reason, verification dropped  cell (out of
///   time)
///
/// A cell ends with exactly one of the last three.
using Tell = std::function<void(const nlohmann::ordered_json& event)>;

/// Cells whose scratch memory does not fit beside the others' are measured after them. Throws TestbedLost once the cell
/// at fault was told of; then this process can measure nothing more.
void measure_block(const BlockTask& task, Workplace& workplace, NowDoing& now, const Tell& tell);

// As events and records have them.
nlohmann::ordered_json to_json(const Verification& verification);
nlohmann::ordered_json to_json(const std::optional<DeviceFacts>& device);  ///< null on the host

}  // namespace sortlab
