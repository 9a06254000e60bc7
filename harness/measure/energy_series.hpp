// Values of counters of energy over time. A counter moves in steps (every 20 to 100 ms on GPUs), so that only the
// moments at which it changed tell how much was drawn between them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/energy_meter.hpp"

namespace sortlab {

/// Joules drawn from one change of a counter to a later one.
struct EnergySpan {
  double begin_s = 0;
  double end_s = 0;
  std::vector<double> joules;  ///< joules of each domain
  std::size_t steps = 0;       ///< changes after the first

  double seconds() const { return end_s - begin_s; }
  double watts() const;
};

/// The values of a meter's counters. Times are seconds of any one clock.
class EnergySeries {
 public:
  /// Power above which a counter is not believed: it jumped.
  static constexpr double kMaxPower_w = 20e3;
  /// Time after which a counter that shows the same value stands still.
  static constexpr double kMaxStep_s = 1.5;

  /// Adds what the counters showed at a time. Throws EnergyUnavailable if they jumped, or stand still.
  void take(double at_s, const std::vector<double>& joules);

  /// The span from the first change to the last within a time; nullopt if there are fewer than two.
  std::optional<EnergySpan> span(double begin_s, double end_s) const;
  /// Number of changes within a time.
  std::size_t changes(double begin_s, double end_s) const;
  /// Median time between two changes, seconds; 0 if there are fewer than two.
  double step_s() const;

 private:
  struct Change {
    double at_s = 0;
    std::vector<double> joules;
  };
  std::vector<Change> changes_;
  Change last_{};       ///< values taken last
  double since_s_ = 0;  ///< time from which on the counters have shown it
};

/// The state of a device at a time.
struct DeviceStateAt {
  double at_s = 0;
  DeviceState state;
};

/// Joules by the power that the driver showed, linear between its readings; nullopt with fewer than two of them.
std::optional<double> integrate_power(const std::vector<DeviceStateAt>& states, double begin_s, double end_s);

}  // namespace sortlab
