// The energy of a cell's sort. After the cell's time samples are taken, the sort runs back to back in several windows
// of several seconds, since a counter of energy moves in steps and its sensor may see only part of the time. What
// restoring the inputs costs is measured alone, in windows between, and taken off; the idle machine is measured before
// and after.
#pragma once

#include <functional>

#include "harness/cell/cell.hpp"
#include "harness/cell/energy.hpp"
#include "harness/measure/energy_sampler.hpp"
#include "harness/measure/testbed.hpp"

namespace sortlab {

/// Times of the stage, in seconds.
struct EnergyTimes {
  double budget_s = 20;           ///< limit of all windows and pauses together
  double window_s = 3;            ///< least length of a window with sorts
  std::size_t steps = 50;         ///< least number of the counter's steps in it
  double cooling_before_s = 0.4;  ///< pause before an idle window
  double idle_before_s = 0.9;
  double cooling_after_s = 0.2;
  double idle_after_s = 0.6;
  double restoring_s = 1;  ///< least length of a window that restores inputs; half where time is short
  /// Time before each window with work, in which the work runs already: a sensor may show a mean of the last moments.
  double settling_s = 0.5;
  double least_settling_s = 0.1;  ///< the same where time is short
};

/// Windows into which that time is divided.
struct EnergyPlan {
  int rounds = 3;          ///< windows with sorts, each followed by one that only restores
  double window_s = 0;     ///< expected length of a window with sorts
  double restoring_s = 0;  ///< least length of a window that restores
  double settling_s = 0;   ///< 0 where one sort takes longer than least_settling_s

  double total_s(const EnergyTimes& times) const;
};

/// The plan for a counter that moves every `step_s` and a sort that takes `sort_s`, its input's restoring included.
/// Throws EnergyUnavailable if two windows do not fit into the budget.
EnergyPlan plan_energy(double step_s, double sort_s, const EnergyTimes& times = {});

/// The meters of what a cell runs on. Throws EnergyUnavailable if none can be read. `device`: see
/// Testbed::device_identity.
EnergyMeters open_meters(const Case& c, const std::optional<DeviceIdentity>& device);

/// Numbers of the inputs that a cell's sorts have in turn (input_seed.hpp): many small ones, since a processor learns
/// one that comes again and again.
std::vector<std::uint64_t> energy_inputs(const Cell& cell);

/// Measures a sort that is prepared and has sorted before, on the testbed's current inputs. `open` makes the meters.
/// `verifies` is called with outputs between windows; false means that one is wrong, and ends the stage at once.
/// Returns nullopt then. A counter that cannot be read or believed gives a reason instead of a number.
std::optional<CellEnergy> measure_energy(const Case& c, Testbed& testbed, Runnable& runnable,
                                         const std::function<EnergyMeters()>& open, const Testbed::Doing& doing,
                                         const std::function<bool(const SortedInput&)>& verifies,
                                         const EnergyTimes& times = {});

}  // namespace sortlab
