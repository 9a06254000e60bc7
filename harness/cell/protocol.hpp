// The protocol of a cell's measurement: processes, warm-up, stopping rule, budget and limit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/names.hpp"

namespace sortlab {

class JsonField;

/// Samples are taken in several worker processes, one after the other, until the 95 % interval of the median is
/// narrower than a share of the median, until there are max_samples of them, or until the budget is spent, whichever
/// comes first; or exactly `samples` of them.
struct Protocol {
  int processes = 3;             ///< least number of them that take samples, if there are as many samples
  int warmup = 1;                ///< sorts of each process before its first sample, verified but not timed
  double interval_share = 0.02;  ///< relative width at which the interval is narrow enough
  int min_samples = 9;           ///< before the interval is tested: 8 give the first that excludes the extremes
  int max_samples = 101;
  double budget_s = 2;  ///< wall time of a cell, including preparing, restoring and verifying, without waiting;
                        ///< exceeded where it does not suffice for a sample in each process
  std::optional<int> samples{};  ///< overrides interval and budget
  bool same_input = false;       ///< every sample sorts the cell's own input, which a processor learns
  std::string interleaved{};     ///< name of the comparison whose other program takes its samples in turn with these;
                                 ///< all of them count, since what disturbs one program disturbs both
  bool energy = false;    ///< after its time samples, the cell's energy is metered; not part of a protocol's JSON
  double timeout_s = 60;  ///< for a single step (preparing, one sort, one verification); plus 1 us a key

  /// The time limit of one step, in seconds.
  double step_limit(std::uint64_t n) const { return timeout_s + 1e-6 * static_cast<double>(n); }

  /// The least number of processes that take samples: no more than there are samples.
  int least_processes() const { return std::min(processes, samples.value_or(max_samples)); }
};

/// The rule by which a cell's sampling ended.
enum class StopReason : std::uint8_t {
  interval,  ///< the 95 % interval of the median is narrow enough
  budget,    ///< the wall time is spent
  samples,   ///< there are as many samples as were asked for, or max_samples
  processes  ///< kMaxProcessFactor times as many processes as were asked for took samples
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<StopReason>{"interval", "budget", "samples", "processes"};

/// Largest number of processes that take samples where the interval stays wide, as a multiple of Protocol::processes.
inline constexpr int kMaxProcessFactor = 3;

nlohmann::ordered_json to_json(const Protocol&);

/// Returns the fields given in `field`, the others as in `otherwise`. Throws BadInput.
Protocol read_protocol(const JsonField& field, const Protocol& otherwise);

}  // namespace sortlab
