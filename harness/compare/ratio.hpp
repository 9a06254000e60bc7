// Statistics that decide if one set of samples is slower than another, on a machine shared with others.
//
// Five effects make naive comparisons of identical code report "slower". Each has a remedy here:
//  - Processes differ by more than the samples of one do: a process is one observation, the median of its samples.
//  - Three processes hardly tell how much processes differ: the scatter of similar cells is drawn on.
//  - Among many cells some differ by chance: the share of false verdicts among all is bounded.
//  - Clocks drift: if the clock was measured, the change must also show in cycles (as in NVBench's robust compare).
//  - Contention only adds time: the lower quartile must not contradict the medians.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/names.hpp"
#include "core/statistics.hpp"

namespace sortlab {

enum class Verdict { faster, slower, same, ambiguous, incomparable };
template <>
inline constexpr std::array<std::string_view, 5> kNames<Verdict>{"faster", "slower", "same", "ambiguous",
                                                                 "incomparable"};

/// Relative change below which a change is ignored: runs of one build differ by as much for reasons that the processes
/// of one run have in common.
inline constexpr double kIndifference = 0.01;
/// Upper bound of the relative change for verdict `same`.
inline constexpr double kNoticeable = 0.1;
/// Difference in seconds below which times are not distinguished: steps of the clock, and the cost of reading it.
inline constexpr double kTimerNoise = 30e-9;
/// Most of the verdicts `faster` and `slower` of a comparison that are false, on average.
inline constexpr double kFalseShare = 0.05;

/// A ratio with its 95 % interval.
struct Ratio {
  double value = 1;
  double lower = 1;
  double upper = 1;
};

/// One cell's samples on one side, in seconds, with the process that took each, and the clock if it was measured.
struct Samples {
  std::span<const double> seconds;
  std::span<const int> processes;
  std::optional<double> clock_hz;
};

/// The place where a sort runs. Processes differ most where several threads run together, and least on a device.
enum class Place { one_thread, several_threads, device };

/// A cell that both sides have measured. Interleaved samples were taken in turn, so that what slowed one slowed the
/// other: sample i of one side belongs to sample i of the other, and their processes are the same list.
struct SamplePair {
  Samples a;
  Samples b;
  Place place = Place::one_thread;
  bool is_interleaved = false;
};

/// The p-quantile of `values`, which need not be sorted. Linear between neighbours, so that p = 1/2 gives the median.
double interpolated_quantile(std::vector<double> values, double p);

struct Judgement {
  Verdict verdict = Verdict::ambiguous;
  std::string reason{};  ///< reason for ambiguous; empty otherwise
  Ratio ratio;           ///< b / a: geometric mean of the processes' medians
  double medians = 1;    ///< b / a of the medians of all samples
};

struct Judgements {
  std::vector<Judgement> cells;    ///< one for each pair
  double process_noise = 0;        ///< typical standard deviation of the logarithm of a process's median
  std::size_t of_one_process = 0;  ///< pairs of which a side has samples of one process, whose noise is assumed
};

/// Decides of each pair if b is faster or slower than a.
///
/// An observation is the median of a process's samples on either side, or of the ratios of its interleaved samples.
/// The variance between processes of a cell is moderated by that of the cells of similar duration in the same place;
/// the ratio is then tested by Student's t against the indifferent change, and the verdicts are those of Benjamini &
/// Hochberg's procedure, so that on average at most kFalseShare of them are false.
Judgements judge(std::span<const SamplePair> pairs);

}  // namespace sortlab
