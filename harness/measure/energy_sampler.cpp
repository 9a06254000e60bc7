#include "harness/measure/energy_sampler.hpp"

#include <algorithm>

namespace sortlab {
namespace {

// A GPU's counter moves every 20 to 100 ms, a host's each millisecond. More readings would cost the sort processor
// time.
constexpr double kDevicePeriod_s = 2e-3;
constexpr double kHostPeriod_s = 10e-3;
constexpr double kStatePeriod_s = 20e-3;

}  // namespace

double EnergySpans::watts() const {
  double sum = 0;
  for (const EnergySpan& span : of_meters) sum += span.watts();
  return sum;
}

EnergySampler::EnergySampler(EnergyMeters& meters)
    : meters_(meters), series_((meters.device ? 1 : 0) + (meters.host ? 1 : 0)), thread_([this] { read_all(); }) {}

EnergySampler::~EnergySampler() {
  stop_ = true;
  thread_.join();
}

double EnergySampler::now_s() const {
  return std::chrono::duration<double>(Clock::now() - begun_).count();
}

void EnergySampler::read_all() {
  const double period_s = meters_.device ? kDevicePeriod_s : kHostPeriod_s;
  double next_host_s = 0;
  double next_state_s = 0;
  const auto read = [&](EnergyMeter& meter, std::size_t series) {
    const std::vector<double> joules = meter.joules();
    const double at_s = now_s();
    const std::lock_guard lock(mutex_);
    series_[series].take(at_s, joules);
  };
  try {
    while (!stop_) {
      const double at_s = now_s();
      if (meters_.device) read(*meters_.device, 0);
      if (meters_.host && at_s >= next_host_s) {
        read(*meters_.host, series_.size() - 1);
        next_host_s = at_s + kHostPeriod_s;
      }
      if (meters_.device && at_s >= next_state_s) {
        const DeviceState state = meters_.device->state();
        const std::lock_guard lock(mutex_);
        states_.push_back({now_s(), state});
        next_state_s = at_s + kStatePeriod_s;
      }
      std::this_thread::sleep_for(std::chrono::duration<double>(period_s));
    }
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
  }
}

void EnergySampler::check() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

std::size_t EnergySampler::changes_since(double begin_s) {
  check();
  const double end_s = now_s();
  const std::lock_guard lock(mutex_);
  std::size_t least = SIZE_MAX;
  for (const EnergySeries& series : series_) least = std::min(least, series.changes(begin_s, end_s));
  return least;
}

double EnergySampler::step_s() {
  check();
  const std::lock_guard lock(mutex_);
  double longest = 0;
  for (const EnergySeries& series : series_) longest = std::max(longest, series.step_s());
  return longest;
}

EnergySpans EnergySampler::spans(double begin_s, double end_s) {
  check();
  const std::lock_guard lock(mutex_);
  EnergySpans spans{.of_meters = {}, .steps = SIZE_MAX};
  for (const EnergySeries& series : series_) {
    const auto span = series.span(begin_s, end_s);
    if (!span) throw EnergyUnavailable("the counter of energy did not move twice in a window");
    spans.steps = std::min(spans.steps, span->steps);
    spans.of_meters.push_back(*span);
  }
  return spans;
}

std::vector<DeviceStateAt> EnergySampler::states(double begin_s, double end_s) {
  const std::lock_guard lock(mutex_);
  std::vector<DeviceStateAt> within;
  std::ranges::copy_if(states_, std::back_inserter(within),
                       [&](const DeviceStateAt& state) { return state.at_s >= begin_s && state.at_s <= end_s; });
  return within;
}

}  // namespace sortlab
