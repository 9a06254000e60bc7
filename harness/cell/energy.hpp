// The energy of a cell's sorts, in joules, as the counters of the machine show it.
#pragma once

#include <array>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sortlab {

/// A stretch of time in which a sort ran back to back, each time on a restored input.
struct EnergyWindow {
  double sorts = 0;
  double seconds = 0;
  double joules = 0;             ///< joules of all domains
  double restoring_seconds = 0;  ///< time for restoring the inputs of these sorts, measured alone
  double restoring_joules = 0;
};

/// State of a device while the sort ran, as the driver showed it.
struct DeviceConditions {
  double sm_clock_hz = 0;  ///< mean
  double memory_clock_hz = 0;
  double temperature_begin_c = 0;
  double temperature_end_c = 0;
  std::optional<double> power_limit_w{};
  std::map<std::string, double> throttled_shares{};  ///< share of the time, by the driver's reason
};

/// A value with its 95 % interval.
struct ValueAndInterval {
  double value = 0;
  std::array<double, 2> ci95{};
};

struct CellEnergy {
  std::string reason{};   ///< why there is none; then no other member is set
  std::string missing{};  ///< parts of the machine that cannot be read, and why; may be empty
  std::map<std::string, double> joules_by_domain{};  ///< joules of a sort: "device", "package", "dram"
  std::vector<EnergyWindow> windows{};
  double idle_before_w = 0;
  double idle_after_w = 0;
  double counter_step_s = 0;                        ///< typical time between two values of the slowest counter
  std::size_t counter_steps = 0;                    ///< least number of them in a window
  std::optional<double> integrated_over_counter{};  ///< the device's power, integrated, over its counter's joules
  std::optional<DeviceConditions> device{};

  /// Joules that the machine draws while one sort runs, and without what it draws when idle.
  ValueAndInterval gross() const;
  ValueAndInterval net() const;
  double seconds_per_sort() const;
  double mean_power_w() const { return gross().value / seconds_per_sort(); }
};

/// No energy, for this reason.
CellEnergy no_energy(const std::string& reason);

/// Largest difference of a counter from integrated power at which its joules are believed.
inline constexpr double kMaxPowerDifference = 0.05;

/// Why the joules are not believed, since the driver's power contradicts the counter; empty if they are.
std::string energy_doubt(const CellEnergy& energy);

/// The field `energy` of a record; null if there is none. The inverse throws the exceptions of nlohmann::json.
nlohmann::ordered_json to_json(const CellEnergy&);
CellEnergy energy_from_json(const nlohmann::ordered_json& json);

}  // namespace sortlab
