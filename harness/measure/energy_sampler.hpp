// A thread that reads counters of energy while sorts run.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "harness/machine/energy_meter.hpp"
#include "harness/measure/energy_series.hpp"

namespace sortlab {

/// The meters of a cell; at least one is there.
struct EnergyMeters {
  std::unique_ptr<DeviceMeter> device{};
  std::unique_ptr<EnergyMeter> host{};
  std::string missing{};  ///< parts of the machine that cannot be read, and why
};

/// Joules that the meters showed from begin to end of a window.
struct EnergySpans {
  std::vector<EnergySpan> of_meters;  ///< the device's, then the host's
  std::size_t steps = 0;              ///< the least of them

  /// Mean power of all domains.
  double watts() const;
};

class EnergySampler {
 public:
  explicit EnergySampler(EnergyMeters& meters);
  EnergySampler(const EnergySampler&) = delete;
  EnergySampler& operator=(const EnergySampler&) = delete;
  ~EnergySampler();

  /// Seconds since this object was made, by the clock of all times here.
  double now_s() const;
  /// Throws what the meters threw, as when a counter jumped back.
  void check();
  /// Least number of changes of a meter since a time.
  std::size_t changes_since(double begin_s);
  /// Typical time between two changes of the slowest meter, seconds.
  double step_s();
  /// Throws EnergyUnavailable if a counter changed less than twice in that time.
  EnergySpans spans(double begin_s, double end_s);
  /// States of the device within a time; none without a device.
  std::vector<DeviceStateAt> states(double begin_s, double end_s);

 private:
  void read_all();

  using Clock = std::chrono::steady_clock;

  EnergyMeters& meters_;
  const Clock::time_point begun_ = Clock::now();
  std::mutex mutex_;  ///< guard of the members up to failure_
  std::vector<EnergySeries> series_;
  std::vector<DeviceStateAt> states_;
  std::exception_ptr failure_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace sortlab
