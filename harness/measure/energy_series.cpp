#include "harness/measure/energy_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/statistics.hpp"

namespace sortlab {

double EnergySpan::watts() const {
  return std::accumulate(joules.begin(), joules.end(), 0.0) / seconds();
}

void EnergySeries::take(double at_s, const std::vector<double>& joules) {
  if (last_.joules.empty()) {
    last_ = {at_s, joules};
    since_s_ = at_s;
    return;
  }
  if (joules == last_.joules) {
    last_.at_s = at_s;
    if (at_s - since_s_ > kMaxStep_s) {
      throw EnergyUnavailable(fmt::format("the counter of energy stood still for {:.2g} s", at_s - since_s_));
    }
    return;
  }
  const double before = std::accumulate(last_.joules.begin(), last_.joules.end(), 0.0);
  const double drawn = std::accumulate(joules.begin(), joules.end(), -before);
  // It is not known when the first value came, so the first step tells nothing of power.
  // A reading that came late makes the step after it look short.
  constexpr double jitter_s = 0.02;
  if (drawn < 0 || (!changes_.empty() && drawn > kMaxPower_w * std::max(at_s - since_s_, jitter_s))) {
    throw EnergyUnavailable(
        fmt::format("the counter of energy jumped by {:.4g} J in {:.3g} s", drawn, at_s - since_s_));
  }
  last_ = {at_s, joules};
  since_s_ = at_s;
  changes_.push_back(last_);
}

std::optional<EnergySpan> EnergySeries::span(double begin_s, double end_s) const {
  const auto first = std::ranges::lower_bound(changes_, begin_s, {}, &Change::at_s);
  const auto end = std::ranges::upper_bound(changes_, end_s, {}, &Change::at_s);
  if (end - first < 2) return std::nullopt;
  const Change& last = *(end - 1);
  EnergySpan span{.begin_s = first->at_s, .end_s = last.at_s, .joules = last.joules};
  for (std::size_t i = 0; i < span.joules.size(); ++i) span.joules[i] -= first->joules[i];
  span.steps = static_cast<std::size_t>(end - first - 1);
  return span;
}

std::size_t EnergySeries::changes(double begin_s, double end_s) const {
  const auto span_of = span(begin_s, end_s);
  return span_of ? span_of->steps + 1 : 0;
}

double EnergySeries::step_s() const {
  if (changes_.size() < 2) return 0;
  std::vector<double> steps;
  for (std::size_t i = 1; i < changes_.size(); ++i) steps.push_back(changes_[i].at_s - changes_[i - 1].at_s);
  return median(steps);
}

std::optional<double> integrate_power(const std::vector<DeviceStateAt>& states, double begin_s, double end_s) {
  double joules = 0;
  double covered_s = 0;
  for (std::size_t i = 1; i < states.size(); ++i) {
    const DeviceStateAt& a = states[i - 1];
    const DeviceStateAt& b = states[i];
    if (a.at_s < begin_s || b.at_s > end_s) continue;
    joules += (b.at_s - a.at_s) * (a.state.power_w + b.state.power_w) / 2;
    covered_s += b.at_s - a.at_s;
  }
  if (covered_s <= 0) return std::nullopt;
  return joules * (end_s - begin_s) / covered_s;
}

}  // namespace sortlab
