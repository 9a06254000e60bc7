// A sweep over the parameters of an algorithm: many settings with few samples, then the best of them with more
// (successive halving: Jamieson & Talwalkar, AISTATS 2016). Every measurement is a record like any other.
#pragma once

#include <string>
#include <vector>

#include "harness/plan/tuning.hpp"
#include "harness/record/record_appender.hpp"
#include "harness/run/session.hpp"

namespace sortlab {

/// The settings of a sweep.
struct Settings {
  std::vector<Case> accepted;  ///< the one it starts from first
  std::size_t declined = 0;    ///< combinations that the plug-in declines for this case
};

/// The values of a parameter that a sweep tries: each word; each number of a range of up to 64; of a wider range its
/// ends and the powers of two between them; none of a real number or of a promise about the input.
std::vector<Value> values_to_try(const Parameter& parameter);

/// `start` with every combination of values of the parameters named in `vary`; none named: of all that have values to
/// try. Throws BadInput for a name that the algorithm does not have, one without values to try, and more than 4096
/// settings.
Settings make_settings(const Case& start, const std::vector<std::string>& vary);

/// One setting as it was measured last, in the round with most samples.
struct MeasuredSetting {
  Case what;
  TimedSetting time;
  std::size_t samples = 0;
};

struct SweepOutcome {
  bool complete = true;                    ///< the last round was measured whole
  std::vector<MeasuredSetting> finalists;  ///< of a complete last round, the fastest first
  std::vector<MeasuredSetting> others;     ///< the fastest first
  std::size_t declined = 0;
  SessionResult session;  ///< of all rounds: cells measured, lost, and left because time ran out
};

struct SweepOptions {
  RecordAppender* records = nullptr;  ///< where measurements are kept, and found when the sweep resumes
  double budget_s = 120;              ///< wall time
  bool quiet = false;                 ///< no progress
};

/// Measures the settings of `start`: all of them with 3 samples in blocks, the best dozen with 9, the best five with 25
/// as one block, each time beside `start`. What `options.records` holds already counts, except that finalists are
/// always measured together.
SweepOutcome sweep_parameters(const Case& start, const std::vector<std::string>& vary, const SweepOptions& options);

/// The best of `outcome`: its fastest finalist if the whole interval of its median lies below that of `start`, by 1 %
/// of it, else `start`: a smaller difference may be reversed in another run. Nothing if the last round is not complete,
/// or `start` was lost.
std::optional<Tuning> choose_tuning(const Case& start, const SweepOutcome& outcome);

}  // namespace sortlab
