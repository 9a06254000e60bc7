#include "harness/measure/stopping_rule.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/statistics.hpp"

namespace sortlab {
namespace {

bool is_narrow(const Protocol& protocol, const MedianInterval& interval) {
  return interval.upper - interval.lower <= protocol.interval_share * interval.median;
}

}  // namespace

bool is_turn_over(const Protocol& protocol, const Turn& turn, std::span<const TimedSample> samples, double spent_s) {
  if (samples.size() <= turn.samples_before) return false;
  const double share = std::min(1.0, (turn.number + 1.0) / protocol.least_processes());
  const auto part = [&](int whole) { return static_cast<std::int64_t>(std::ceil(share * whole)); };
  const auto taken = static_cast<std::int64_t>(samples.size());
  if (!protocol.interleaved.empty()) {  // so that both programs take the same number, as a rule
    const auto in_turn = taken - static_cast<std::int64_t>(turn.samples_before);
    constexpr int least = 3;
    return taken >= part(*protocol.samples) || (in_turn >= least && spent_s >= share * protocol.budget_s);
  }
  if (protocol.samples) {
    const auto undisturbed = taken - std::ranges::count_if(samples, is_disturbed);
    const std::int64_t wanted = part(*protocol.samples);
    return undisturbed >= wanted || taken >= 2 * wanted;
  }
  std::vector<double> seconds;
  for (const std::size_t i : samples_that_count(protocol, samples)) seconds.push_back(samples[i].seconds);
  const auto in_turn = taken - static_cast<std::int64_t>(turn.samples_before);
  const bool enough = static_cast<std::int64_t>(seconds.size()) >= part(protocol.min_samples) &&
                      in_turn * protocol.least_processes() >= protocol.min_samples;
  if (enough && is_narrow(protocol, median_interval(seconds))) return true;
  return taken >= part(protocol.max_samples) || spent_s >= share * protocol.budget_s;
}

std::optional<StopReason> why_stop(const Protocol& protocol, int turns, const SamplesByProcess& samples,
                                   std::size_t taken, double spent_s) {
  if (turns < protocol.least_processes()) return std::nullopt;
  if (protocol.samples) return StopReason::samples;
  if (samples.seconds.size() >= static_cast<std::size_t>(protocol.min_samples)) {
    const MedianInterval interval = run_interval(samples.seconds, samples.processes);
    if (interval.coverage >= 0.95 && is_narrow(protocol, interval)) return StopReason::interval;
  }
  if (taken >= static_cast<std::size_t>(protocol.max_samples)) return StopReason::samples;
  if (spent_s >= protocol.budget_s) return StopReason::budget;
  if (turns >= kMaxProcessFactor * protocol.least_processes()) return StopReason::processes;
  return std::nullopt;
}

}  // namespace sortlab
