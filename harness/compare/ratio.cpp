#include "harness/compare/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace sortlab {
namespace {

constexpr double kConfidence = 0.95;

// Standard deviations of the logarithm of a process's median.
constexpr double kLeastNoise = 0.002;  // minimum, since lucky processes do not prove a quiet machine
// Assumed where a side has one process, as in plots/records/statistics.py. On a device: 113 kept cells were measured in
// two runs on one H100 or H200. Of 97.5 % of them the two medians differ by 3.2 % at most.
constexpr double kAssumedNoise = 0.03;
constexpr double kAssumedParallelNoise = 0.10;
constexpr double kAssumedDeviceNoise = 0.01;
constexpr double kMaxDegrees = 1e3;        // degrees of freedom of an assumed variance
constexpr std::size_t kSimilarCells = 30;  // cells of similar duration that a cell's variance is moderated by

double assumed_noise(Place place) {
  switch (place) {
    case Place::several_threads: return kAssumedParallelNoise;
    case Place::device: return kAssumedDeviceNoise;
    default: return kAssumedNoise;
  }
}

/// The ratio of a pair and its error, on the logarithmic scale.
struct RatioEstimate {
  double log_ratio = 0;
  double seconds = 0;      ///< typical time, for the order of cells
  Variance between{};      ///< variance of a process's median, or ratio; unknown if a side has one process
  double error_share = 0;  ///< squared error of log_ratio over that variance
  double error = 0;        ///< standard error of log_ratio
  double degrees_of_freedom = 0;
  double clocks = 1;     ///< b / a of the clocks
  double quartiles = 1;  ///< b / a of the lower quartiles
};

/// The processes' scatter of both sides together.
Variance between_processes(const ProcessScatter& a, const ProcessScatter& b) {
  const double known = a.processes + b.processes - 2;
  const double sum = a.log_variance * (a.processes - 1) + b.log_variance * (b.processes - 1);
  return {std::max(sum / known, kLeastNoise * kLeastNoise), known};
}

/// The variance of the median of one process's samples, as far as they tell: from the interval of order statistics, or
/// from Student's of the logarithms for 2 to 5 samples, no two of which bound the median with 95 %.
double within_process(std::span<const double> seconds) {
  const double count = static_cast<double>(seconds.size());
  if (seconds.size() >= 2 && seconds.size() <= 5) {
    std::vector<double> logarithms;
    for (const double s : seconds) logarithms.push_back(std::log(s));
    const double middle = mean(logarithms);
    double squares = 0;
    for (const double l : logarithms) squares += (l - middle) * (l - middle);
    const double wider = student_t(kConfidence, count - 1) / student_t(kConfidence, kMaxDegrees);
    return wider * wider * squares / (count - 1) / count;
  }
  const MedianInterval interval = median_interval(seconds, kConfidence);
  const double half = std::log(interval.upper / interval.lower) / 2;
  return half * half / 4;
}

/// The moderating variances of each of `cells`, which are in the order of their duration.
std::vector<Variance> priors(const std::vector<const RatioEstimate*>& cells) {
  std::vector<Variance> of_cells;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t count = std::min(kSimilarCells, cells.size());
    const std::size_t first = std::clamp<std::size_t>(i, count / 2, cells.size() - count + count / 2) - count / 2;
    std::vector<Variance> similar;
    for (std::size_t j = first; j < first + count; ++j) similar.push_back(cells[j]->between);
    of_cells.push_back(fit_prior(similar));
  }
  return of_cells;
}

/// The ratio of samples that were taken in turn.
RatioEstimate estimate_interleaved(const SamplePair& pair) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < pair.a.seconds.size(); ++i) ratios.push_back(pair.b.seconds[i] / pair.a.seconds[i]);
  const ProcessScatter scatter = process_scatter(ratios, pair.a.processes);
  RatioEstimate e{.log_ratio = scatter.log_mean, .seconds = median(pair.a.seconds)};
  e.quartiles = std::exp(e.log_ratio);
  if (scatter.processes > 1) {
    e.between = {std::max(scatter.log_variance, 2 * kLeastNoise * kLeastNoise), scatter.processes - 1.0};
    e.error_share = 1.0 / scatter.processes;
  }
  return e;
}

RatioEstimate estimate(const SamplePair& pair) {
  if (pair.is_interleaved) return estimate_interleaved(pair);
  const ProcessScatter a = process_scatter(pair.a.seconds, pair.a.processes);
  const ProcessScatter b = process_scatter(pair.b.seconds, pair.b.processes);
  RatioEstimate e{.log_ratio = b.log_mean - a.log_mean, .seconds = std::exp(a.log_mean)};
  if (pair.a.clock_hz && pair.b.clock_hz) e.clocks = *pair.b.clock_hz / *pair.a.clock_hz;
  const auto quartile = [](const Samples& s) {
    return interpolated_quantile({s.seconds.begin(), s.seconds.end()}, 0.25);
  };
  e.quartiles = quartile(pair.b) / quartile(pair.a);
  if (a.processes > 1 && b.processes > 1) {
    e.between = between_processes(a, b);
    e.error_share = 1.0 / a.processes + 1.0 / b.processes;
  }
  return e;
}

/// Completes the error of an estimate by the moderated variance of its processes.
void complete(RatioEstimate& e, const SamplePair& pair, const Variance& variance) {
  double squared = std::pow(kTimerNoise / e.seconds / 2, 2);
  if (variance.degrees_of_freedom > 0) {
    squared += std::max(variance.value, kLeastNoise * kLeastNoise) * e.error_share;
    e.degrees_of_freedom = std::min(variance.degrees_of_freedom, kMaxDegrees);
  } else {
    const double assumed = assumed_noise(pair.place);
    squared += 2 * assumed * assumed + within_process(pair.a.seconds) + within_process(pair.b.seconds);
    e.degrees_of_freedom = kMaxDegrees;
  }
  e.error = std::sqrt(squared);
}

/// The chance of so great a change on the logarithmic scale, slower or faster, if the true one is indifferent.
double chance(const RatioEstimate& e, double change) {
  const double beyond = std::abs(change) - std::log1p(kIndifference);
  return 2 * student_t_tail(std::max(0.0, beyond) / e.error, e.degrees_of_freedom);
}

/// The greatest chance that is still a verdict: Benjamini & Hochberg, Journal of the Royal Statistical Society B 57,
/// 1995.
double threshold(const std::vector<RatioEstimate>& estimates) {
  std::vector<double> chances;
  for (const RatioEstimate& e : estimates) chances.push_back(chance(e, e.log_ratio));
  std::ranges::sort(chances);
  double found = 0;
  for (std::size_t i = 0; i < chances.size(); ++i) {
    const double allowed = kFalseShare * static_cast<double>(i + 1) / static_cast<double>(chances.size());
    if (chances[i] <= allowed) found = chances[i];
  }
  return found;
}

bool is_noticeable(double ratio) {
  return ratio >= 1 + kNoticeable || ratio <= 1 / (1 + kNoticeable);
}

Judgement judgement(const RatioEstimate& e, const SamplePair& pair, double largest_chance) {
  const double half = student_t(kConfidence, e.degrees_of_freedom) * e.error;
  const double value = std::exp(e.log_ratio);
  Judgement judgement{.ratio = {value, value * std::exp(-half), value * std::exp(half)},
                      .medians = median(pair.b.seconds) / median(pair.a.seconds)};
  const double in_cycles = e.log_ratio + std::log(e.clocks);
  const double of_quartiles = std::log(e.quartiles);
  const bool slower = e.log_ratio > 0;
  if (chance(e, e.log_ratio) <= largest_chance) {
    if (chance(e, in_cycles) > kFalseShare || (in_cycles > 0) != slower) {
      judgement.reason = fmt::format("the clock differs by {:+.1f} %: no such change in cycles", 100 * (e.clocks - 1));
    } else if ((of_quartiles > 0) != slower || std::abs(of_quartiles) < std::abs(e.log_ratio) / 2) {
      judgement.reason =
          fmt::format("the lower quartiles' ratio is {:.3f}: some samples changed, not all", e.quartiles);
    } else {
      judgement.verdict = slower ? Verdict::slower : Verdict::faster;
    }
  } else if (!is_noticeable(judgement.ratio.lower) && !is_noticeable(judgement.ratio.upper)) {
    judgement.verdict = Verdict::same;
  } else {
    judgement.reason = "the interval allows both no change and a noticeable one";
  }
  return judgement;
}

}  // namespace

double interpolated_quantile(std::vector<double> values, double p) {
  std::ranges::sort(values);
  const double place = p * static_cast<double>(values.size() - 1);
  const auto below_place = static_cast<std::size_t>(place);
  const std::size_t above_place = std::min(below_place + 1, values.size() - 1);
  return std::lerp(values[below_place], values[above_place], place - static_cast<double>(below_place));
}

Judgements judge(std::span<const SamplePair> pairs) {
  Judgements judgements;
  std::vector<RatioEstimate> estimates;
  for (const SamplePair& pair : pairs) estimates.push_back(estimate(pair));
  std::map<std::pair<Place, bool>, std::vector<const RatioEstimate*>> known;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (estimates[i].between.degrees_of_freedom > 0)
      known[{pairs[i].place, pairs[i].is_interleaved}].push_back(&estimates[i]);
  }
  std::map<const RatioEstimate*, Variance> variances;
  for (auto& [place, cells] : known) {
    std::ranges::sort(cells, {}, &RatioEstimate::seconds);
    const std::vector<Variance> prior = priors(cells);
    for (std::size_t i = 0; i < cells.size(); ++i) variances[cells[i]] = moderated(cells[i]->between, prior[i]);
  }
  std::vector<double> noise;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto found = variances.find(&estimates[i]);
    judgements.of_one_process += found == variances.end() ? 1 : 0;
    complete(estimates[i], pairs[i], found == variances.end() ? Variance{} : found->second);
    noise.push_back(found == variances.end() ? assumed_noise(pairs[i].place) : std::sqrt(found->second.value));
  }
  if (!noise.empty()) judgements.process_noise = median(noise);
  const double largest_chance = threshold(estimates);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    judgements.cells.push_back(judgement(estimates[i], pairs[i], largest_chance));
  }
  return judgements;
}

}  // namespace sortlab
