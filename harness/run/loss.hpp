// The end of a cell that its worker did not survive.
#pragma once

#include <optional>
#include <string>

#include "harness/cell/reason_code.hpp"
#include "harness/cell/result.hpp"
#include "harness/measure/now_doing.hpp"
#include "harness/run/step_watch.hpp"
#include "harness/run/worker.hpp"

namespace sortlab {

/// The end of a cell without a time.
struct Loss {
  Status status = Status::failed;
  Reason reason;
  std::optional<double> limit_s{};  ///< seconds that the reason's code speaks of
  std::string signal{};             ///< SIGSEGV …, if one ended the worker
};

/// Limits of a worker, in seconds.
struct WorkerLimits {
  double step_s = 0;  ///< for one step
  double stop_s = 0;  ///< for standing still when stopped by a signal
};

/// Loss of the cell that the worker was at, in this step, when it ended.
Loss describe_loss(Ending ending, const Death& death, Step step, const WorkerLimits& limits);

}  // namespace sortlab
