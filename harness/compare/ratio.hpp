// Was one set of samples slower than another? Statistics on a machine that has neighbours.
//
// Four things make naive comparisons of identical code report "slower"; each has its remedy here:
//  - Times are neither normal nor symmetric: quantiles with intervals of order statistics, for any distribution.
//  - Contention only ever adds time: the lower quartile decides, and the median must not contradict it.
//  - Clocks drift: the change must show in cycles, too, where the clock was measured (as NVBench's robust compare
//  does).
//  - Runs differ by more than samples within a run do (pages, neighbours, and all samples of a short sort fall into the
//    same few milliseconds): the spread of the cells' ratios measures that, and widens every interval.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sortlab {

enum class Verdict { faster, slower, same, ambiguous, incomparable };
const char* name_of(Verdict verdict);

/// Smaller changes are ignored: two runs of one build differ as much when the whole machine drifts, which no spread
/// between cells shows.
inline constexpr double kIndifference = 0.03;
/// `same` promises that the change is smaller than this.
inline constexpr double kNoticeable = 0.1;
/// Times this close, in seconds, are not distinguished: steps of the clock and the cost of reading it.
inline constexpr double kTimerNoise = 30e-9;

/// The quantile whose ratio decides.
inline constexpr double kDecidingQuantile = 0.25;

/// A ratio with its 95 % interval.
struct Ratio {
  double value = 1;
  double lower = 1;
  double upper = 1;
};

/// One cell's samples on one side, in seconds, with the clock measured meanwhile if it was.
struct Samples {
  std::span<const double> seconds;
  std::optional<double> clock_hz;
};

/// The p-quantile of `sorted` and a 95 % interval [x_(r), x_(s)] for it: each sample lies below the true quantile with
/// chance p, so ranks come from Binomial(n, p). Where n is too small for 95 % it is the range on that side.
Ratio quantile_interval(std::span<const double> sorted, double p);

/// The ratio b / a of their p-quantiles. The intervals of both are combined on the logarithmic scale by the method of
/// variance estimates recovery (Zou & Donner, Statistics in Medicine 27, 2008): no resampling, no random numbers.
/// `run_noise` is the standard deviation of the logarithm of the ratio between runs of the same code.
Ratio ratio_of_quantiles(std::span<const double> a, std::span<const double> b, double p, double run_noise);

/// The p-quantile of `values`, which need not be sorted; linear between neighbours, so that at 1/2 it is the median.
double interpolated_quantile(std::vector<double> values, double p);

/// One cell's contribution to the estimate of noise between runs.
struct LogRatio {
  std::string group;   ///< algorithm: a change of its code moves its cells together
  bool parallel;       ///< on several threads, whose timing differs in every run: noisier
  double seconds = 0;  ///< of one sort: short ones are noisier
  double value = 0;    ///< logarithm of the ratio b / a of lower quartiles
};

/// How much two runs of the same code differ: the standard deviation of the logarithm of a cell's ratio, estimated from
/// how cells of like duration, on one thread or on several, scatter around the median of their group. Robust to a
/// quarter of cells that did change.
class RunNoise {
 public:
  explicit RunNoise(std::vector<LogRatio> ratios);
  double at(bool parallel, double seconds) const;
  double typical() const;  ///< the median over all cells

 private:
  struct Deviation {
    double seconds = 0;
    double size = 0;
  };
  std::map<bool, std::vector<Deviation>> by_duration_;  ///< of cells on one thread, and on several
};

struct Judgement {
  Verdict verdict = Verdict::ambiguous;
  std::string reason{};  ///< why ambiguous; empty otherwise
  Ratio ratio;           ///< b / a of the lower quartiles, in time
  double medians = 1;    ///< b / a of the medians
};

/// Whether b is faster or slower than a.
Judgement judge(const Samples& a, const Samples& b, double run_noise);

}  // namespace sortlab
