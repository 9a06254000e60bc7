#include "harness/calibrate/device/energy.hpp"

#include <chrono>
#include <functional>
#include <thread>

#include "harness/calibrate/energy_constants.hpp"
#include "harness/measure/cuda/device_facts.hpp"
#include "harness/measure/energy_sampler.hpp"

namespace sortlab::calibration {
namespace {

constexpr double kHeld_s = 1.2;  ///< a second between the first and the last change of a counter that moves every 0.1 s
constexpr double kSettled_s = 1;  ///< before that, in which the work runs already

/// Instructions of a warp for each 16 bytes that a thread of it streams: loads, stores, addresses, and combining.
constexpr double kStreamInstructions = 6;
constexpr double kWarpAccess = 32 * 16;  ///< bytes

constexpr const char* kSource =
    "micro-benchmarks held for a second each, by the device's counter of energy; without static power and what is "
    "known "
    "of other operations";

/// Keeps one warp of each multiprocessor busy with reading its clock.
__global__ void spin(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

class HeldProbes {
 public:
  HeldProbes(const TimedRounds& rounds, CudaBench& bench)
      : rounds_(rounds), bench_(bench), meters_(open()), sampler_(meters_) {}

  double idle_w() {
    return hold([] { std::this_thread::sleep_for(std::chrono::milliseconds{20}); }).watts();
  }

  /// Power of a device whose clocks are up, and which does nothing.
  double static_w() {
    constexpr long long cycles = 20'000'000;  // some 10 ms
    return hold([&] {
             spin<<<static_cast<unsigned>(bench_.multiprocessors), 32, 0, bench_.stream()>>>(cycles);
             check_launch();
             check(cudaStreamSynchronize(bench_.stream()));
           })
        .watts();
  }

  /// Holds a probe. `operations` gives those that a number of the probe's own units stands for: bytes, or instructions
  /// of a warp.
  HeldProbe hold(const char* adds, const char* table, std::vector<std::vector<double>> points,
                 const std::function<std::map<std::string, double>(double units)>& operations) {
    const auto sample = rounds_.find_sample(table, points);
    if (!sample) throw EnergyUnavailable(std::string{"the probe of the table "} + table + " was not calibrated");
    const bool is_rate = rounds_.unit(table).ends_with("/s");
    const bool is_inverse = rounds_.unit(table) == "cycles";
    double units = 0;
    double units_before = 0;
    const auto run = [&] {
      const double seconds = bench_.timed_seconds();
      const double cycles = bench_.counted_cycles();
      const double value = (*sample)();
      const double of_device = bench_.counted_cycles() - cycles;
      units += is_rate      ? value * (bench_.timed_seconds() - seconds)
               : is_inverse ? of_device / value
                            : of_device * value;
    };
    const Held held = hold(run, [&] { units_before = units; });
    // The counter's first and last change lie within the window, in which operations come evenly.
    const double share = held.seconds() / held.window_s;
    return {.adds = adds,
            .seconds = held.seconds(),
            .joules = held.joules.front(),
            .operations = operations((units - units_before) * share)};
  }

 private:
  struct Held : EnergySpan {
    double window_s = 0;
  };

  static EnergyMeters open() {
    EnergyMeters meters;
    meters.device = open_device_meter(query_device_identity(0));
    if (const auto sharers = meters.device->sharers()) throw EnergyUnavailable(*sharers);
    return meters;
  }

  Held hold(
      const std::function<void()>& work, const std::function<void()>& begins = [] {}) {
    run_until(sampler_.now_s() + kSettled_s, work);
    begins();
    const double begin_s = sampler_.now_s();
    run_until(begin_s + kHeld_s, work);
    const double end_s = sampler_.now_s();
    Held held;
    static_cast<EnergySpan&>(held) = sampler_.spans(begin_s, end_s).of_meters.front();
    held.window_s = end_s - begin_s;
    return held;
  }

  void run_until(double end_s, const std::function<void()>& work) {
    while (sampler_.now_s() < end_s) {
      work();
      sampler_.check();
    }
  }

  const TimedRounds& rounds_;
  CudaBench& bench_;
  EnergyMeters meters_;
  EnergySampler sampler_;
};

}  // namespace

void calibrate_energy(MachineProfile& profile, const TimedRounds& rounds, CudaBench& bench) {
  using Operations = std::map<std::string, double>;
  HeldProbes probes(rounds, bench);
  const double idle_w = probes.idle_w();
  const double static_w = probes.static_w();
  const auto streamed = [](double bytes) { return bytes / kWarpAccess * kStreamInstructions; };
  const std::vector<std::vector<double>> cached{{16, 16.0 * MiB}};
  const std::vector<std::vector<double>> in_memory{{16, 8.0 * GiB}, {16, 1.0 * GiB}, {16, 256.0 * MiB}};
  const std::vector<HeldProbe> held{
      probes.hold(kInstructions, "issue.iadd3", {{}},
                  [](double n) {
                    return Operations{{kInstructions, n}};
                  }),
      probes.hold(kSharedAccesses, "shared_load", {{1}},
                  [](double n) {
                    return Operations{{kSharedAccesses, n}, {kInstructions, n}};
                  }),
      probes.hold(kL2Bytes, "copy", cached,
                  [&](double bytes) {
                    return Operations{{kL2Bytes, bytes}, {kInstructions, streamed(bytes)}};
                  }),
      probes.hold(kDramBytes, "copy", in_memory,
                  [&](double bytes) {
                    return Operations{{kDramBytes, bytes}, {kL2Bytes, bytes}, {kInstructions, streamed(bytes)}};
                  }),
      probes.hold(kLinkBytes, "link", {{0, 1, 256.0 * MiB}, {0, 1, 64.0 * MiB}}, [](double bytes) {
        return Operations{{kLinkBytes, bytes}, {kDramBytes, bytes}, {kL2Bytes, bytes}};
      })};
  const auto add = [&](const std::string& table, const char* unit, double value) {
    profile.tables[table] = {
        .unit = unit, .source = kSource, .arguments = {}, .points = {{{}, value, {}}}, .kind = "hardware"};
  };
  add("energy.idle", "W", idle_w);
  add("energy.static", "W", static_w);
  for (const auto& [operation, joules] : energy_per_operation(static_w, held)) {
    add("energy." + operation, "J", joules);
  }
}

}  // namespace sortlab::calibration
