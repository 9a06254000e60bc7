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

/// A median and an interval around it.
struct MedianInterval {
  double median = 0;
  double lower = 0;
  double upper = 0;
  double coverage = 0;  ///< the chance that such an interval holds the true median
};

/// The narrowest symmetric interval [x_(r), x_(n-r+1)] of order statistics that covers the true median with at least
/// `confidence`: each sample lies below the true median with chance 1/2, so the coverage is 1 - 2 P(B <= r - 1), B ~
/// Binomial(n, 1/2). That is exact for independent samples of any distribution; samples of one process are not
/// independent, so that theirs is too narrow (see run_interval). Below 6 samples none reaches 95 %: then it is the
/// range of the samples, and `coverage` states its confidence. `samples` must not be empty.
MedianInterval median_interval(std::span<const double> samples, double confidence = 0.95);

/// The samples of each process, in ascending order of the processes' numbers. `processes` has a number for each sample.
std::vector<std::vector<double>> by_process(std::span<const double> samples, std::span<const int> processes);

/// The scatter of the processes' medians, on the logarithmic scale.
struct ProcessScatter {
  int processes = 1;
  double log_mean = 0;      ///< mean of the logarithms of the processes' medians
  double log_variance = 0;  ///< their variance; 0 for one process
};

/// All samples must be positive, and not empty.
ProcessScatter process_scatter(std::span<const double> samples, std::span<const int> processes);

/// Half the width of a two-sided interval, in standard errors: the quantile of Student's t distribution.
double student_t(double confidence, double degrees_of_freedom);

/// The chance that a value of Student's t distribution is greater than `t`.
double student_t_tail(double t, double degrees_of_freedom);

/// A variance, and how much is known of it.
struct Variance {
  double value = 0;
  double degrees_of_freedom = 0;  ///< 0: nothing; infinity: it is exact
};

/// The distribution from which the true variances of many similar quantities seem to be drawn: `value` is their typical
/// size, and the more alike they are, the more degrees of freedom it has. `estimates` must be positive. With fewer than
/// two estimates nothing is known.
///
/// Source: Smyth, "Linear models and empirical Bayes methods", Statistical Applications in Genetics and Molecular
/// Biology 3, 2004, section 6.2.
Variance fit_prior(std::span<const Variance> estimates);

/// The estimate of one quantity's variance, moderated by what is known of the others. Source: as fit_prior, section 4.
Variance moderated(const Variance& own, const Variance& prior);

/// The median of all samples, and the interval that holds the median of a long run with 95 %. A process is one
/// observation, since samples of one process share its addresses, its processors and its minutes: on the logarithmic
/// scale the interval is Student's for the mean of the processes' medians, though never narrower than the scatter of
/// the samples within the processes would have it, and extended to the median where that lies outside. Where all
/// samples are of one process, it is that of median_interval, which knows nothing of other processes.
///
/// Source: Kalibera & Jones, "Rigorous benchmarking in reasonable time", ISMM'13, section 9, for two levels.
MedianInterval run_interval(std::span<const double> samples, std::span<const int> processes);

}  // namespace sortlab
