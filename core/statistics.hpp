// Statistics of timed samples: medians with intervals, since the times of a sort are neither normal nor symmetric.
//
// Source: Hoefler & Belli, "Scientific Benchmarking of Parallel Computing Systems", SC'15, rules 5 to 8 and
// section 3.1.2.
#pragma once

#include <span>
#include <vector>

namespace sortlab {

/// The samples in ascending order.
std::vector<double> sorted(std::span<const double> samples);

/// The middle sample, or the mean of the two in the middle for an even count. `samples` must not be empty.
double median(std::span<const double> samples);

/// The mean. `samples` must not be empty.
double mean(std::span<const double> samples);

/// The sample at rank ceil(q * count), q in (0, 1]. `samples` must not be empty.
double quantile(std::span<const double> samples, double q);

/// A median and the interval of order statistics around it.
struct MedianInterval {
  double median = 0;
  double lower = 0;
  double upper = 0;
  double coverage = 0;  ///< the chance that such an interval holds the true median, exact for any distribution
};

/// The narrowest symmetric interval [x_(r), x_(n-r+1)] of sorted samples that covers the true median with at least
/// `confidence`: each sample lies below the true median with chance 1/2, so the coverage is 1 - 2 P(B <= r - 1), B ~
/// Binomial(n, 1/2). Below 6 samples none reaches 95 %: then it is the range of the samples, and `coverage` states its
/// confidence. `samples` must not be empty.
MedianInterval median_interval(std::span<const double> samples, double confidence = 0.95);

}  // namespace sortlab
