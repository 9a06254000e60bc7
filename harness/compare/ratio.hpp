// Statistics that decide if one set of samples is slower than another, on a machine shared with others.
//
// Four effects make naive comparisons of identical code report "slower". Each has a remedy here:
//  - Times are neither normal nor symmetric: order-statistic intervals of quantiles are valid for any distribution.
//  - Contention only adds time: the lower quartile decides, and the median must not contradict it.
//  - Clocks drift: if the clock was measured, the change must also show in cycles (as in NVBench's robust compare).
//  - Runs differ by more than the samples within a run: the spread of the cells' ratios widens every interval.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/names.hpp"

namespace sortlab {

enum class Verdict { faster, slower, same, ambiguous, incomparable };
template <>
inline constexpr std::array<std::string_view, 5> kNames<Verdict>{"faster", "slower", "same", "ambiguous",
                                                                 "incomparable"};

/// Relative change below which a change is ignored. Two runs of one build differ by as much if the whole machine
/// drifts, which the spread between cells does not show.
inline constexpr double kIndifference = 0.03;
/// Upper bound of the relative change for verdict `same`.
inline constexpr double kNoticeable = 0.1;
/// Difference in seconds below which times are not distinguished: steps of the clock, and the cost of reading it.
inline constexpr double kTimerNoise = 30e-9;

/// The quantile whose ratio decides the verdict.
inline constexpr double kDecidingQuantile = 0.25;

/// A ratio with its 95 % interval.
struct Ratio {
  double value = 1;
  double lower = 1;
  double upper = 1;
};

/// One cell's samples on one side, in seconds, with the clock during them if it was measured.
struct Samples {
  std::span<const double> seconds;
  std::optional<double> clock_hz;
};

/// The p-quantile of `sorted` and its 95 % interval [x_(r), x_(s)]. Each sample lies below the true quantile with
/// probability p, so the ranks follow from Binomial(n, p). If n is too small for 95 %, the interval extends to the
/// extreme sample on that side.
Ratio quantile_interval(std::span<const double> sorted, double p);

/// The ratio b / a of the p-quantiles. The two intervals are combined on the logarithmic scale by the method of
/// variance estimates recovery (Zou & Donner, Statistics in Medicine 27, 2008), without resampling or random numbers.
/// `run_noise`: standard deviation of the logarithm of the ratio between runs of the same code.
Ratio ratio_of_quantiles(std::span<const double> a, std::span<const double> b, double p, double run_noise);

/// The p-quantile of `values`, which need not be sorted. Linear between neighbours, so that p = 1/2 gives the median.
double interpolated_quantile(std::vector<double> values, double p);

/// One cell's ratio, for the estimate of the noise between runs.
struct LogRatio {
  std::string group;   ///< algorithm, since a change of its code moves its cells together
  bool parallel;       ///< true for several threads, whose timing is noisier
  double seconds = 0;  ///< time of one sort; short sorts are noisier
  double value = 0;    ///< logarithm of the ratio b / a of lower quartiles
};

/// Noise between two runs of the same code: the standard deviation of the logarithm of a cell's ratio. It is estimated
/// from the scatter of cells of similar duration, on one thread or on several, around the median of their group. Robust
/// if up to a quarter of the cells did change.
class RunNoise {
 public:
  explicit RunNoise(std::vector<LogRatio> ratios);
  double at(bool parallel, double seconds) const;
  double typical() const;  ///< median noise over all cells

 private:
  struct Deviation {
    double seconds = 0;
    double size = 0;
  };
  std::map<bool, std::vector<Deviation>>
      by_duration_;  ///< deviations of single-threaded (false) and multi-threaded (true) cells
};

struct Judgement {
  Verdict verdict = Verdict::ambiguous;
  std::string reason{};  ///< reason for ambiguous; empty otherwise
  Ratio ratio;           ///< b / a of the lower quartiles, in time
  double medians = 1;    ///< b / a of the medians
};

/// Decides if b is faster or slower than a.
Judgement judge(const Samples& a, const Samples& b, double run_noise);

}  // namespace sortlab
