#include "core/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/polygamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

namespace sortlab {
namespace {

double middle(const std::vector<double>& ascending) {
  const std::size_t half = ascending.size() / 2;
  return ascending.size() % 2 == 1 ? ascending[half] : (ascending[half - 1] + ascending[half]) / 2;
}

/// The x > 0 with trigamma(x) = y > 0, by Newton's method on 1 / trigamma, which is nearly linear.
double inverse_trigamma(double y) {
  double x = 0.5 + 1 / y;
  for (int i = 0; i < 50; ++i) {
    const double value = boost::math::trigamma(x);
    const double step = value * (1 - value / y) / boost::math::polygamma(2, x);
    x += step;
    if (std::abs(step) < 1e-10 * x) break;
  }
  return x;
}

/// The variance of the logarithm of a process's median, were its samples independent and normal: pi / 2 of their own
/// over their number. Only processes with several samples tell it.
Variance variance_within(std::span<const double> samples, std::span<const int> processes) {
  Variance within;
  double told = 0;
  for (const std::vector<double>& group : by_process(samples, processes)) {
    if (group.size() < 2) continue;
    std::vector<double> logarithms;
    for (const double sample : group) logarithms.push_back(std::log(sample));
    const double middle = mean(logarithms);
    double squares = 0;
    for (const double l : logarithms) squares += (l - middle) * (l - middle);
    const double count = static_cast<double>(group.size());
    within.value += std::numbers::pi / 2 * squares / (count - 1) / count;
    within.degrees_of_freedom += count - 1;
    told += 1;
  }
  if (told > 0) within.value /= told;
  return within;
}

}  // namespace

std::vector<double> sorted(std::span<const double> samples) {
  std::vector<double> ascending(samples.begin(), samples.end());
  std::ranges::sort(ascending);
  return ascending;
}

double median(std::span<const double> samples) {
  return middle(sorted(samples));
}

double mean(std::span<const double> samples) {
  return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
}

double quantile(std::span<const double> samples, double q) {
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(samples.size())));
  return sorted(samples)[std::clamp<std::size_t>(rank, 1, samples.size()) - 1];
}

MedianInterval median_interval(std::span<const double> samples, double confidence) {
  const std::vector<double> ascending = sorted(samples);
  const std::size_t n = ascending.size();
  const double count = static_cast<double>(n);
  std::size_t rank = 1;
  double outside = 2 * std::exp2(-count);  // 2 P(B <= rank - 1)
  while (rank < (n + 1) / 2) {
    const double r = static_cast<double>(rank);
    const double more =
        2 * std::exp(std::lgamma(count + 1) - std::lgamma(r + 1) - std::lgamma(count - r + 1) - count * std::log(2.0));
    if (1 - (outside + more) < confidence) break;
    outside += more;
    ++rank;
  }
  return {.median = middle(ascending),
          .lower = ascending[rank - 1],
          .upper = ascending[n - rank],
          .coverage = n == 1 ? 0 : 1 - outside};
}

std::vector<std::vector<double>> by_process(std::span<const double> samples, std::span<const int> processes) {
  std::map<int, std::vector<double>> of_process;
  for (std::size_t i = 0; i < samples.size(); ++i) of_process[processes[i]].push_back(samples[i]);
  std::vector<std::vector<double>> groups;
  for (auto& [process, group] : of_process) groups.push_back(std::move(group));
  return groups;
}

ProcessScatter process_scatter(std::span<const double> samples, std::span<const int> processes) {
  std::vector<double> medians;
  for (const std::vector<double>& group : by_process(samples, processes)) medians.push_back(std::log(median(group)));
  ProcessScatter scatter{.processes = static_cast<int>(medians.size()), .log_mean = mean(medians)};
  if (medians.size() < 2) return scatter;
  for (const double m : medians) scatter.log_variance += (m - scatter.log_mean) * (m - scatter.log_mean);
  scatter.log_variance /= static_cast<double>(medians.size() - 1);
  return scatter;
}

double student_t(double confidence, double degrees_of_freedom) {
  return boost::math::quantile(boost::math::students_t{degrees_of_freedom}, (1 + confidence) / 2);
}

double student_t_tail(double t, double degrees_of_freedom) {
  return boost::math::cdf(boost::math::complement(boost::math::students_t{degrees_of_freedom}, t));
}

Variance fit_prior(std::span<const Variance> estimates) {
  if (estimates.size() < 2) return {};
  // The logarithm of an estimate scatters by its own degrees of freedom and by the prior's.
  std::vector<double> logarithms;
  double own_scatter = 0;
  for (const Variance& estimate : estimates) {
    const double half = estimate.degrees_of_freedom / 2;
    logarithms.push_back(std::log(estimate.value) - boost::math::digamma(half) + std::log(half));
    own_scatter += boost::math::trigamma(half) / static_cast<double>(estimates.size());
  }
  const double middle = mean(logarithms);
  double scatter = 0;
  for (const double l : logarithms) scatter += (l - middle) * (l - middle);
  const double excess = scatter / static_cast<double>(estimates.size() - 1) - own_scatter;
  if (excess <= 0) return {std::exp(middle), std::numeric_limits<double>::infinity()};
  const double half = inverse_trigamma(excess);
  return {std::exp(middle + boost::math::digamma(half) - std::log(half)), 2 * half};
}

Variance moderated(const Variance& own, const Variance& prior) {
  if (std::isinf(prior.degrees_of_freedom)) return prior;
  const double known = own.degrees_of_freedom + prior.degrees_of_freedom;
  return {(own.degrees_of_freedom * own.value + prior.degrees_of_freedom * prior.value) / known, known};
}

MedianInterval run_interval(std::span<const double> samples, std::span<const int> processes) {
  constexpr double confidence = 0.95;
  const ProcessScatter scatter = process_scatter(samples, processes);
  if (scatter.processes < 2) return median_interval(samples, confidence);
  const double count = scatter.processes;
  double half = student_t(confidence, count - 1) * std::sqrt(scatter.log_variance / count);
  if (const Variance within = variance_within(samples, processes); within.degrees_of_freedom > 0) {
    half = std::max(half, student_t(confidence, within.degrees_of_freedom) * std::sqrt(within.value / count));
  }
  const double middle = median(samples);
  return {.median = middle,
          .lower = std::min(middle, std::exp(scatter.log_mean - half)),
          .upper = std::max(middle, std::exp(scatter.log_mean + half)),
          .coverage = confidence};
}

}  // namespace sortlab
