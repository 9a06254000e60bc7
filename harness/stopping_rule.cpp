#include "harness/stopping_rule.hpp"

#include "harness/statistics.hpp"

namespace sortlab {

std::optional<std::string_view> why_stop(const Protocol& protocol, std::span<const double> samples, double spent_s) {
  if (samples.empty()) return std::nullopt;
  const auto taken = static_cast<std::int64_t>(samples.size());
  if (protocol.samples) return taken >= *protocol.samples ? std::optional{"samples"} : std::nullopt;
  if (taken >= protocol.min_samples) {
    const MedianInterval interval = median_interval(samples);
    if (interval.coverage >= 0.95 && interval.upper - interval.lower <= protocol.interval_share * interval.median) {
      return "interval";
    }
  }
  if (taken >= protocol.max_samples) return "samples";
  if (spent_s >= protocol.budget_s) return "budget";
  return std::nullopt;
}

}  // namespace sortlab
