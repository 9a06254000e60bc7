#include "harness/measure/energy_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <thread>
#include <utility>

#include "harness/cell/input_seed.hpp"
#include "harness/cell/input_size.hpp"

namespace sortlab {
namespace {

/// Time that one call of the testbed should take: the host's gap between two calls is then a thousandth of it.
constexpr double kCall_s = 0.02;
constexpr int kMaxRepeats = 1 << 14;
/// Most of the time for which kernels may run while this process is idle.
constexpr double kMaxBusyShare = 0.2;

void pause(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

class EnergyStage {
 public:
  EnergyStage(const Case& c, Testbed& testbed, Runnable& runnable, EnergyMeters& meters, const Testbed::Doing& doing,
              const EnergyTimes& times)
      : case_(c),
        testbed_(testbed),
        runnable_(runnable),
        meters_(meters),
        doing_(doing),
        times_(times),
        sampler_(meters) {}

  /// Returns nullopt if an output is wrong.
  std::optional<CellEnergy> run(const std::function<bool(const SortedInput&)>& verifies) {
    doing_(Step::metering);
    refuse_sharers();
    CellEnergy energy;
    energy.missing = meters_.missing;
    energy.idle_before_w = idle_w(times_.cooling_before_s, times_.idle_before_s);
    refuse_busy_device();
    energy.counter_step_s = sampler_.step_s();
    fit_repeats(sorting_);
    fit_repeats(restoring_);
    const EnergyPlan plan = plan_energy(energy.counter_step_s, sorting_.once_s, times_);
    energy.counter_steps = SIZE_MAX;
    for (int round = 0; round < plan.rounds; ++round) {
      const Window sorts = run_window(sorting_, plan.settling_s, times_.window_s, times_.steps);
      if (!verifies(sorts.last)) return std::nullopt;
      const Window restores = run_window(restoring_, plan.settling_s, plan.restoring_s, 2);
      add_window(energy, sorts, restores);
    }
    energy.idle_after_w = idle_w(times_.cooling_after_s, times_.idle_after_s);
    finish(energy);
    return energy;
  }

 private:
  /// Work that is done back to back.
  struct Work {
    bool sorts = false;
    int repeats = 1;    ///< in one call of the testbed
    double once_s = 0;  ///< time of one
  };

  struct Window {
    double repeats = 0;
    double begin_s = 0;
    double end_s = 0;
    SortedInput last{};
  };

  void refuse_sharers() {
    if (!meters_.device) return;
    if (const auto sharers = meters_.device->sharers()) throw EnergyUnavailable(*sharers);
  }

  /// Called when this process has been idle for a while.
  void refuse_busy_device() {
    if (!meters_.device) return;
    const double busy = meters_.device->busy_share().value_or(0);
    if (busy <= kMaxBusyShare) return;
    throw EnergyUnavailable(
        fmt::format("the GPU is shared: it worked {:.0f} % of the time while this process was idle", 100 * busy));
  }

  double idle_w(double cooling_s, double idle_s) {
    doing_(Step::metering);
    pause(cooling_s);
    const double begin_s = sampler_.now_s();
    pause(idle_s);
    return sampler_.spans(begin_s, sampler_.now_s()).watts();
  }

  SortedInput call(const Work& work) {
    doing_(Step::metering);
    return testbed_.repeat(case_, runnable_, work.repeats, work.sorts);
  }

  /// Finds how often the work is done in one call.
  void fit_repeats(Work& work) {
    while (true) {
      const double begin_s = sampler_.now_s();
      call(work);
      const double taken_s = sampler_.now_s() - begin_s;
      work.once_s = taken_s / work.repeats;
      if (taken_s >= kCall_s / 2 || work.repeats == kMaxRepeats) return;
      const double wanted = taken_s > 0 ? kCall_s / work.once_s : kMaxRepeats;
      work.repeats = static_cast<int>(std::clamp(wanted, 2.0 * work.repeats, 1.0 * kMaxRepeats));
    }
  }

  /// Does the work for at least `seconds` and so many steps of the counters, after some of it that does not count. The
  /// window begins at a random offset to the sensor, which may see a fixed part of each period only.
  Window run_window(const Work& work, double settling_s, double seconds, std::size_t steps) {
    doing_(Step::metering);
    pause(std::uniform_real_distribution<double>{0, sampler_.step_s()}(random_));
    const double settled_s = sampler_.now_s() + settling_s;
    while (settling_s > 0 && sampler_.now_s() < settled_s) call(work);
    Window window{.begin_s = sampler_.now_s()};
    do {
      window.last = call(work);
      window.repeats += work.repeats;
      window.end_s = sampler_.now_s();
      if (window.end_s - window.begin_s > times_.budget_s) {
        throw EnergyUnavailable(
            fmt::format("the counter of energy moved fewer than {} times in {:.2g} s", steps, times_.budget_s));
      }
    } while (window.end_s - window.begin_s < seconds || sampler_.changes_since(window.begin_s) <= steps);
    return window;
  }

  void add_window(CellEnergy& energy, const Window& sorts, const Window& restores) {
    const EnergySpans with = sampler_.spans(sorts.begin_s, sorts.end_s);
    const EnergySpans without = sampler_.spans(restores.begin_s, restores.end_s);
    const double seconds = sorts.end_s - sorts.begin_s;
    const double restore_s = (restores.end_s - restores.begin_s) / restores.repeats;
    energy.windows.push_back({.sorts = sorts.repeats,
                              .seconds = seconds,
                              .joules = seconds * with.watts(),
                              .restoring_seconds = sorts.repeats * restore_s,
                              .restoring_joules = sorts.repeats * restore_s * without.watts()});
    energy.counter_steps = std::min(energy.counter_steps, with.steps);
    for (std::size_t meter = 0; meter < with.of_meters.size(); ++meter) {
      const EnergySpan& of_sorts = with.of_meters[meter];
      const EnergySpan& of_restores = without.of_meters[meter];
      const std::vector<std::string>& domains = find_domains(meter);
      for (std::size_t i = 0; i < domains.size(); ++i) {
        energy.joules_by_domain[domains[i]] += seconds / sorts.repeats * of_sorts.joules[i] / of_sorts.seconds() -
                                               restore_s * of_restores.joules[i] / of_restores.seconds();
      }
    }
    if (meters_.device) watch_device(with.of_meters.front());
  }

  /// Keeps what the driver showed during a span with sorts, and integrates its power.
  void watch_device(const EnergySpan& span) {
    const std::vector<DeviceStateAt> states = sampler_.states(span.begin_s, span.end_s);
    states_.insert(states_.end(), states.begin(), states.end());
    if (const auto joules = integrate_power(states, span.begin_s, span.end_s)) {
      integrated_j_ += *joules;
      counted_j_ += span.joules.front();
    }
  }

  const std::vector<std::string>& find_domains(std::size_t meter) const {
    return meter == 0 && meters_.device ? meters_.device->domains() : meters_.host->domains();
  }

  void finish(CellEnergy& energy) {
    for (auto& [domain, joules] : energy.joules_by_domain) joules /= static_cast<double>(energy.windows.size());
    if (!(energy.gross().value > 0 && energy.seconds_per_sort() > 0)) {
      throw EnergyUnavailable(
          "restoring the inputs costs as much as sorting them, so that the sort's share is unknown");
    }
    if (!meters_.device) return;
    if (counted_j_ > 0) energy.integrated_over_counter = integrated_j_ / counted_j_;
    energy.device = conditions();
  }

  DeviceConditions conditions() {
    DeviceConditions device{.power_limit_w = meters_.device->power_limit_w()};
    if (states_.empty()) return device;
    const double share = 1.0 / static_cast<double>(states_.size());
    for (const DeviceStateAt& at : states_) {
      device.sm_clock_hz += share * at.state.sm_clock_hz;
      device.memory_clock_hz += share * at.state.memory_clock_hz;
      for (const std::string& name : throttle_names(at.state.throttle_reasons)) device.throttled_shares[name] += share;
    }
    device.temperature_begin_c = states_.front().state.temperature_c;
    device.temperature_end_c = states_.back().state.temperature_c;
    return device;
  }

  const Case& case_;
  Testbed& testbed_;
  Runnable& runnable_;
  EnergyMeters& meters_;
  const Testbed::Doing& doing_;
  const EnergyTimes& times_;
  EnergySampler sampler_;
  std::mt19937_64 random_{std::random_device{}()};
  Work sorting_{.sorts = true};
  Work restoring_{};
  std::vector<DeviceStateAt> states_;  ///< while sorts ran
  double integrated_j_ = 0;
  double counted_j_ = 0;
};

}  // namespace

double EnergyPlan::total_s(const EnergyTimes& times) const {
  return times.cooling_before_s + times.idle_before_s + times.cooling_after_s + times.idle_after_s +
         rounds * (2 * settling_s + window_s + restoring_s);
}

EnergyPlan plan_energy(double step_s, double sort_s, const EnergyTimes& times) {
  EnergyPlan plan;
  const double steps_s = step_s * static_cast<double>(times.steps + 1);
  const double overshoot_s = std::max(sort_s, kCall_s) / 2;
  plan.window_s = std::max({times.window_s, steps_s, sort_s}) + overshoot_s;
  // A longer sort would be all that settles, and take the time of a window.
  const bool settles = sort_s < times.least_settling_s;
  struct Choice {
    int rounds;
    double restoring_s, settling_s;
  };
  const double short_s = times.restoring_s / 2;
  for (const Choice& choice : {Choice{3, times.restoring_s, times.settling_s}, Choice{3, short_s, times.settling_s},
                               Choice{3, short_s, times.least_settling_s}, Choice{2, short_s, times.settling_s},
                               Choice{2, short_s, times.least_settling_s}}) {
    plan.rounds = choice.rounds;
    plan.restoring_s = choice.restoring_s;
    plan.settling_s = settles ? choice.settling_s : 0;
    if (plan.total_s(times) <= times.budget_s) return plan;
  }
  throw EnergyUnavailable(
      fmt::format("two windows of {:.2g} s, {} steps of the counter ({:.2g} s each) or one sort ({:.2g} s) do not fit "
                  "into {:.2g} s",
                  times.window_s, times.steps, step_s, sort_s, times.budget_s));
}

EnergyMeters open_meters(const Case& c, const std::optional<DeviceIdentity>& device) {
  if (c.residency == Residency::shards) {
    throw EnergyUnavailable("sorts on several devices, of which the meter reads one");
  }
  EnergyMeters meters;
  const auto open = [&](const char* what, const auto& attempt) {
    try {
      attempt();
    } catch (const EnergyUnavailable& why) {
      meters.missing += fmt::format("{}{}: {}", meters.missing.empty() ? "" : "; ", what, why.what());
    }
  };
  if (c.residency != Residency::host && device) {
    open("GPU", [&] { meters.device = open_device_meter(*device); });
  }
  if (c.residency != Residency::device) open("host", [&] { meters.host = open_host_meter(); });
  if (!meters.device && !meters.host) throw EnergyUnavailable(meters.missing);
  return meters;
}

std::vector<std::uint64_t> energy_inputs(const Cell& cell) {
  if (cell.protocol.same_input) return {0};
  constexpr std::uint64_t memory = std::uint64_t{64} << 20;
  const std::uint64_t bytes = std::max<std::uint64_t>(1, input_bytes(cell.subject));
  const std::uint64_t inputs = cell.subject.residency == Residency::host ? memory / bytes : 1;
  std::vector<std::uint64_t> numbers(std::clamp<std::uint64_t>(inputs, 1, kInputsPerSample - 1));
  std::iota(numbers.begin(), numbers.end(), kUntimedInputs + kInputsPerSample);
  return numbers;
}

std::optional<CellEnergy> measure_energy(const Case& c, Testbed& testbed, Runnable& runnable,
                                         const std::function<EnergyMeters()>& open, const Testbed::Doing& doing,
                                         const std::function<bool(const SortedInput&)>& verifies,
                                         const EnergyTimes& times) {
  try {
    EnergyMeters meters = open();
    return EnergyStage(c, testbed, runnable, meters, doing, times).run(verifies);
  } catch (const EnergyUnavailable& why) {
    return no_energy(why.what());
  }
}

}  // namespace sortlab
