// Time limits of a worker's steps, from which stops and suspensions are taken off.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "harness/run/signals.hpp"
#include "harness/run/worker.hpp"

namespace sortlab {

/// Reasons for which a supervisor stops listening to a worker.
enum class Ending { block_done, died, too_long, garbled, stayed_stopped, stopped_often, stopped };

/// Watches the step that a worker is in while its supervisor listens.
class StepWatch {
 public:
  /// A worker that sends nothing is given up after this many time limits of a step, if it was stopped and continued at
  /// least kMinStops times meanwhile.
  static constexpr double kStepsWithoutEvent = 3;
  static constexpr std::uint32_t kMinStops = 20;

  /// A worker may stand still, stopped by a signal, for `longest_stop`.
  StepWatch(const WorkerProcess& worker, const Continuations& continuations,
            std::chrono::steady_clock::duration longest_stop);

  /// Notes that the worker has sent an event.
  void hear();

  /// An ending if the step has taken longer than `limit_s` seconds, or the worker was stopped for too long or too
  /// often. `in_cell`: false while the worker makes an input or waits for processors.
  std::optional<Ending> judge(double limit_s, bool in_cell);

  /// Seconds until a step of this limit has used up its time.
  double remaining_s(double limit_s) const;

  /// Starts the step's time again, since all processes stood still: a wait of `asked_s` seconds took `waited_s`.
  void notice_suspension(double asked_s, double waited_s);

 private:
  const WorkerProcess& worker_;
  const Continuations& continuations_;
  const std::chrono::steady_clock::duration longest_stop_;
  std::int64_t begin_ns_;                ///< earliest begin of a step's time
  std::uint32_t own_continuations_;      ///< number of times that this process was continued, by then
  std::int64_t heard_ns_;                ///< time of the worker's last event
  std::uint32_t workers_continuations_;  ///< number of times that the worker was continued, by its last event
  std::optional<std::chrono::steady_clock::time_point> stopped_since_;  ///< when it was first seen to stand still
};

}  // namespace sortlab
