#include "harness/run/step_watch.hpp"

#include <algorithm>

#include "harness/measure/now_doing.hpp"

namespace sortlab {
namespace {

double seconds_since(std::int64_t ns) {
  return 1e-9 * static_cast<double>(NowDoing::now_ns() - ns);
}

}  // namespace

StepWatch::StepWatch(const WorkerProcess& worker, const Continuations& continuations,
                     std::chrono::steady_clock::duration longest_stop)
    : worker_(worker),
      continuations_(continuations),
      longest_stop_(longest_stop),
      begin_ns_(NowDoing::now_ns()),
      own_continuations_(continuations.count()),
      heard_ns_(begin_ns_),
      workers_continuations_(worker.now().continued.load()) {}

void StepWatch::hear() {
  heard_ns_ = NowDoing::now_ns();
  workers_continuations_ = worker_.now().continued.load();
}

std::optional<Ending> StepWatch::judge(double limit_s, bool in_cell) {
  if (const std::uint32_t now = continuations_.count(); now != own_continuations_) {
    own_continuations_ = now;
    begin_ns_ = NowDoing::now_ns();
    stopped_since_.reset();
  }
  // A sample during which the worker stood still is dropped, and its step's time starts again at each SIGCONT.
  if (in_cell && seconds_since(heard_ns_) > kStepsWithoutEvent * limit_s &&
      worker_.now().continued.load() - workers_continuations_ >= kMinStops) {
    return Ending::stopped_often;
  }
  if (remaining_s(limit_s) > 0) return std::nullopt;
  if (!worker_.is_stopped()) return Ending::too_long;
  const auto now = std::chrono::steady_clock::now();
  if (!stopped_since_) stopped_since_ = now;
  if (now - *stopped_since_ > longest_stop_) return Ending::stayed_stopped;
  begin_ns_ = NowDoing::now_ns();
  return std::nullopt;
}

double StepWatch::remaining_s(double limit_s) const {
  return limit_s - seconds_since(std::max(begin_ns_, worker_.now().since_ns.load()));
}

void StepWatch::notice_suspension(double asked_s, double waited_s) {
  constexpr double noticed_s = 1;
  if (waited_s > asked_s + noticed_s) begin_ns_ = NowDoing::now_ns();
}

}  // namespace sortlab
