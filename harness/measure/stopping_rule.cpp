#include "harness/measure/stopping_rule.hpp"

#include <algorithm>

#include "core/statistics.hpp"

namespace sortlab {

std::optional<StopReason> why_stop(const Protocol& protocol, std::span<const TimedSample> samples, double spent_s) {
  if (samples.empty()) return std::nullopt;
  const auto taken = static_cast<std::int64_t>(samples.size());
  if (protocol.samples) {
    const auto undisturbed = taken - std::ranges::count_if(samples, is_disturbed);
    const std::int64_t wanted = *protocol.samples;
    const bool enough = undisturbed >= wanted || taken >= 2 * wanted;
    return enough ? std::optional{StopReason::samples} : std::nullopt;
  }
  std::vector<double> seconds;
  for (const std::size_t i : samples_that_count(protocol, samples)) seconds.push_back(samples[i].seconds);
  if (static_cast<std::int64_t>(seconds.size()) >= protocol.min_samples) {
    const MedianInterval interval = median_interval(seconds);
    if (interval.coverage >= 0.95 && interval.upper - interval.lower <= protocol.interval_share * interval.median) {
      return StopReason::interval;
    }
  }
  if (taken >= protocol.max_samples) return StopReason::samples;
  if (spent_s >= protocol.budget_s) return StopReason::budget;
  return std::nullopt;
}

}  // namespace sortlab
