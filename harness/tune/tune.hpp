// A sweep over the parameters of an algorithm by successive halving (Jamieson & Talwalkar, AISTATS 2016): it measures
// many settings with few samples, then the best of them with more. Every measurement is an ordinary record.
#pragma once

#include <string>
#include <vector>

#include "harness/plan/tuning.hpp"
#include "harness/record/record_appender.hpp"
#include "harness/run/session.hpp"

namespace sortlab {

/// The settings of a sweep.
struct Settings {
  std::vector<Case> accepted;  ///< the starting setting comes first
  std::size_t declined = 0;    ///< number of combinations that the plug-in declines for this case
};

/// The values of a parameter that a sweep tries: all words; all numbers of a range of up to 64; the ends of a wider
/// range and the powers of two between them. None for a real number or a promise about the input.
std::vector<Value> values_to_try(const Parameter& parameter);

/// `start` with every combination of values of the parameters in `vary`, or of all parameters that have values to try
/// if `vary` is empty. Throws BadInput for an unknown parameter, one without values to try, and more than 4096
/// settings.
Settings make_settings(const Case& start, const std::vector<std::string>& vary);

/// A setting and its last measurement, from the round with most samples.
struct MeasuredSetting {
  Case subject;
  TimedSetting time;
  std::size_t samples = 0;
};

struct SweepOutcome {
  bool complete = true;                    ///< the last round was measured completely
  std::vector<MeasuredSetting> finalists;  ///< settings of a complete last round, the fastest first
  std::vector<MeasuredSetting> others;     ///< other settings, the fastest first
  std::size_t declined = 0;
  SessionResult session;  ///< totals of all rounds: cells measured, lost, and left because time ran out
};

struct SweepOptions {
  RecordAppender* records = nullptr;  ///< file for the measurements, from which the sweep resumes
  double budget_s = 120;              ///< wall time in seconds
  bool quiet = false;                 ///< show no progress
};

/// Measures the settings of `start`: all of them with 3 samples in blocks, the best dozen with 9, and the best five
/// with 25 as one block, each time together with `start`. Measurements in `options.records` count, except that
/// finalists are always measured together.
SweepOutcome sweep_parameters(const Case& start, const std::vector<std::string>& vary, const SweepOptions& options);

/// The best setting of `outcome`: the fastest finalist, if the interval of its median lies below that of `start` by at
/// least 1 %, else `start`. A smaller difference may be reversed in another run. Returns nullopt if the last round is
/// not complete, or if `start` was lost.
std::optional<Tuning> choose_tuning(const Case& start, const SweepOutcome& outcome);

}  // namespace sortlab
