#include "harness/compare/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/statistics.hpp"

namespace sortlab {
namespace {

constexpr double kTail = 0.025;       // probability of each tail of a two-sided 95 % interval
constexpr double kNormalTail = 1.96;  // the same in standard deviations of a normal distribution

// Noise between runs: standard deviations of a ratio's logarithm.
constexpr double kLeastNoise = 0.005;     // minimum, since a lucky sample does not prove a quiet machine
constexpr double kUsualNoise = 0.01;      // default, if there are too few cells for an estimate
constexpr std::size_t kEnoughCells = 20;  // minimum number of cells for an estimate
constexpr double kSparseNoise = 0.02;     // minimum for cells with too few samples to show a spread
constexpr std::size_t kMinSamples = 3;

/// P(B <= k), B ~ Binomial(n, p).
double binomial_cdf(double k, double n, double p) {
  double sum = 0;
  for (double i = 0; i <= k; ++i) {
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(i + 1) - std::lgamma(n - i + 1) + i * std::log(p) +
                    (n - i) * std::log1p(-p));
  }
  return sum;
}

/// Comparisons of a ratio with the two thresholds.
bool above(const Ratio& ratio) {
  return ratio.lower > 1 + kIndifference;
}
bool below(const Ratio& ratio) {
  return ratio.upper < 1 / (1 + kIndifference);
}
bool unnoticeable(double lower, double upper) {
  return upper < 1 + kNoticeable && lower > 1 / (1 + kNoticeable);
}
bool near_one(const Ratio& ratio) {
  return !above(ratio) && !below(ratio) && unnoticeable(ratio.lower, ratio.upper);
}

Ratio times(const Ratio& ratio, double factor) {
  return {ratio.value * factor, ratio.lower * factor, ratio.upper * factor};
}

}  // namespace

double interpolated_quantile(std::vector<double> values, double p) {
  std::ranges::sort(values);
  const double place = p * static_cast<double>(values.size() - 1);
  const auto below_place = static_cast<std::size_t>(place);
  const std::size_t above_place = std::min(below_place + 1, values.size() - 1);
  return std::lerp(values[below_place], values[above_place], place - static_cast<double>(below_place));
}

Ratio quantile_interval(std::span<const double> values, double p) {
  const auto n = static_cast<double>(values.size());
  // The interval from x_(r), with the largest r for which P(B <= r - 1) <= 2.5 %, to x_(s), with the smallest s for
  // which P(B >= s) <= 2.5 %. Ranks count from 1.
  std::size_t r = 1;
  while (r < values.size() && binomial_cdf(static_cast<double>(r), n, p) <= kTail) ++r;
  std::size_t s = values.size();
  while (s > 1 && binomial_cdf(static_cast<double>(s) - 2, n, p) >= 1 - kTail) --s;
  const double estimate = interpolated_quantile({values.begin(), values.end()}, p);
  return {estimate, std::min(estimate, values[r - 1]), std::max(estimate, values[s - 1])};
}

Ratio ratio_of_quantiles(std::span<const double> a, std::span<const double> b, double p, double run_noise) {
  const Ratio qa = quantile_interval(sorted(a), p);
  const Ratio qb = quantile_interval(sorted(b), p);
  const double between = kNormalTail * run_noise + kTimerNoise / qa.value;
  const double down = std::hypot(std::log(qb.value / qb.lower), std::log(qa.upper / qa.value), between);
  const double up = std::hypot(std::log(qb.upper / qb.value), std::log(qa.value / qa.lower), between);
  const double ratio = qb.value / qa.value;
  return {ratio, ratio * std::exp(-down), ratio * std::exp(up)};
}

RunNoise::RunNoise(std::vector<LogRatio> ratios) {
  std::map<std::string, std::vector<double>> groups;
  for (const LogRatio& ratio : ratios) groups[ratio.group].push_back(ratio.value);
  for (const LogRatio& ratio : ratios) {
    by_duration_[ratio.parallel].push_back({ratio.seconds, std::abs(ratio.value - median(groups[ratio.group]))});
  }
  for (auto& [parallel, deviations] : by_duration_) std::ranges::sort(deviations, {}, &Deviation::seconds);
}

double RunNoise::at(bool parallel, double seconds) const {
  const auto found = by_duration_.find(parallel);
  if (found == by_duration_.end() || found->second.size() < kEnoughCells) return kUsualNoise;
  const std::vector<Deviation>& deviations = found->second;
  const auto place = std::ranges::lower_bound(deviations, seconds, {}, &Deviation::seconds) - deviations.begin();
  const auto last = static_cast<std::ptrdiff_t>(deviations.size() - kEnoughCells);
  const auto first = std::clamp<std::ptrdiff_t>(place - static_cast<std::ptrdiff_t>(kEnoughCells) / 2, 0, last);
  std::vector<double> sizes;
  for (std::size_t i = 0; i < kEnoughCells; ++i) sizes.push_back(deviations[static_cast<std::size_t>(first) + i].size);
  // Half of a normal distribution lies within 0.674 standard deviations, three quarters within 1.15. The larger of the
  // two estimates counts, since the spread has heavier tails than a normal distribution.
  return std::max({kLeastNoise, interpolated_quantile(sizes, 0.5) / 0.674, interpolated_quantile(sizes, 0.75) / 1.15});
}

double RunNoise::typical() const {
  std::vector<double> all;
  for (const auto& [parallel, deviations] : by_duration_) {
    for (const Deviation& deviation : deviations) all.push_back(at(parallel, deviation.seconds));
  }
  return all.empty() ? kUsualNoise : median(all);
}

Judgement judge(const Samples& a, const Samples& b, double run_noise) {
  if (std::min(a.seconds.size(), b.seconds.size()) < kMinSamples) run_noise = std::max(run_noise, kSparseNoise);
  const Ratio medians = ratio_of_quantiles(a.seconds, b.seconds, 0.5, run_noise);
  const Ratio ratio = ratio_of_quantiles(a.seconds, b.seconds, kDecidingQuantile, run_noise);
  Judgement judgement{.ratio = ratio, .medians = medians.value};
  const double clocks = a.clock_hz && b.clock_hz ? *b.clock_hz / *a.clock_hz : 1;
  const Ratio cycles = times(ratio, clocks);
  const bool slower = above(ratio) && medians.value > 1 + kIndifference;
  const bool faster = below(ratio) && medians.value < 1 / (1 + kIndifference);

  if ((slower && above(cycles)) || (faster && below(cycles))) {
    judgement.verdict = slower ? Verdict::slower : Verdict::faster;
  } else if (slower || faster) {
    judgement.reason = fmt::format("the clock differs by {:+.1f} %: no such change in cycles", 100 * (clocks - 1));
  } else if (!unnoticeable(medians.value, medians.value) || above(ratio) || below(ratio)) {
    judgement.reason = fmt::format("the medians' ratio is {:.3f}: some samples changed, not all", medians.value);
  } else if (near_one(ratio) || near_one(medians)) {
    judgement.verdict = Verdict::same;
  } else {
    judgement.reason = "the interval allows both no change and a noticeable one";
  }
  return judgement;
}

}  // namespace sortlab
