#include "core/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sortlab {
namespace {

double middle(const std::vector<double>& ascending) {
  const std::size_t half = ascending.size() / 2;
  return ascending.size() % 2 == 1 ? ascending[half] : (ascending[half - 1] + ascending[half]) / 2;
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

}  // namespace sortlab
