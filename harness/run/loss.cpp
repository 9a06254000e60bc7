#include "harness/run/loss.hpp"

#include <fmt/format.h>

namespace sortlab {

Loss describe_loss(Ending ending, const Death& death, Step step, const WorkerLimits& limits) {
  const auto in_step = [&](const std::string& words) { return fmt::format("{} in {}", words, to_name(step)); };
  switch (ending) {
    case Ending::too_long: {
      const bool sorts = step == Step::warming_up || step == Step::sorting;
      return {.status = Status::timeout,
              .reason = {sorts ? ReasonCode::sort_too_long : ReasonCode::step_too_long,
                         in_step(fmt::format("took longer than {:.3g} s", limits.step_s))},
              .limit_s = limits.step_s};
    }
    case Ending::stayed_stopped: {
      const std::string words = fmt::format("stood still, stopped by a signal, for more than {:.3g} s", limits.stop_s);
      return {.status = Status::crashed, .reason = {ReasonCode::stood_still, in_step(words)}, .limit_s = limits.stop_s};
    }
    case Ending::stopped_often: {
      const double limit_s = StepWatch::kStepsWithoutEvent * limits.step_s;
      const std::string words =
          fmt::format("was stopped and continued again and again by signals, and gave no sample for {:.3g} s", limit_s);
      return {.status = Status::timeout, .reason = {ReasonCode::stood_still, in_step(words)}, .limit_s = limit_s};
    }
    case Ending::garbled:
      return {
          .status = Status::crashed,
          .reason = {ReasonCode::garbled_connection, in_step("wrote into the worker's connection to its supervisor")}};
    default:
      return {.status = Status::crashed,
              .reason = {ReasonCode::crash, in_step(death.reason)},
              .signal = ending == Ending::died ? death.signal : ""};
  }
}

}  // namespace sortlab
