#include "harness/cell/energy.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/statistics.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// The mean of the windows' values, with Student's interval: a window is one observation.
template <class Value>
ValueAndInterval over_windows(const std::vector<EnergyWindow>& windows, const Value& value) {
  std::vector<double> values;
  for (const EnergyWindow& window : windows) values.push_back(value(window));
  const double middle = mean(values);
  if (values.size() < 2) return {middle, {middle, middle}};
  double squares = 0;
  for (const double v : values) squares += (v - middle) * (v - middle);
  const double count = static_cast<double>(values.size());
  const double half = student_t(0.95, count - 1) * std::sqrt(squares / (count - 1) / count);
  return {middle, {middle - half, middle + half}};
}

double sort_joules(const EnergyWindow& w) {
  return (w.joules - w.restoring_joules) / w.sorts;
}

double sort_seconds(const EnergyWindow& w) {
  return (w.seconds - w.restoring_seconds) / w.sorts;
}

ordered_json conditions_json(const DeviceConditions& device) {
  return {{"sm_clock_hz", device.sm_clock_hz},
          {"memory_clock_hz", device.memory_clock_hz},
          {"temperature_begin_c", device.temperature_begin_c},
          {"temperature_end_c", device.temperature_end_c},
          {"power_limit_w", device.power_limit_w ? ordered_json(*device.power_limit_w) : ordered_json()},
          {"throttled_shares",
           device.throttled_shares.empty() ? ordered_json::object() : ordered_json(device.throttled_shares)}};
}

DeviceConditions conditions_from_json(const ordered_json& json) {
  DeviceConditions device{.sm_clock_hz = json.at("sm_clock_hz"),
                          .memory_clock_hz = json.at("memory_clock_hz"),
                          .temperature_begin_c = json.at("temperature_begin_c"),
                          .temperature_end_c = json.at("temperature_end_c")};
  if (!json.at("power_limit_w").is_null()) device.power_limit_w = json.at("power_limit_w").get<double>();
  device.throttled_shares = json.at("throttled_shares").get<std::map<std::string, double>>();
  return device;
}

}  // namespace

ValueAndInterval CellEnergy::gross() const {
  return over_windows(windows, sort_joules);
}

ValueAndInterval CellEnergy::net() const {
  const double idle_w = (idle_before_w + idle_after_w) / 2;
  return over_windows(windows, [&](const EnergyWindow& w) { return sort_joules(w) - idle_w * sort_seconds(w); });
}

double CellEnergy::seconds_per_sort() const {
  return over_windows(windows, sort_seconds).value;
}

CellEnergy no_energy(const std::string& reason) {
  CellEnergy none;
  none.reason = reason;
  return none;
}

std::string energy_doubt(const CellEnergy& energy) {
  const double integrated = energy.integrated_over_counter.value_or(1);
  if (std::abs(integrated - 1) <= kMaxPowerDifference) return "";
  return fmt::format("the driver's power, integrated, is {:.1f} % of the counter's joules", 100 * integrated);
}

ordered_json to_json(const CellEnergy& energy) {
  if (!energy.reason.empty()) return nullptr;
  const ValueAndInterval gross = energy.gross();
  const ValueAndInterval net = energy.net();
  ordered_json windows = ordered_json::array();
  for (const EnergyWindow& w : energy.windows) {
    windows.push_back({{"sorts", static_cast<std::uint64_t>(w.sorts)},
                       {"seconds", w.seconds},
                       {"joules", w.joules},
                       {"restoring_seconds", w.restoring_seconds},
                       {"restoring_joules", w.restoring_joules}});
  }
  ordered_json json{{"joules_per_sort", gross.value},
                    {"joules_per_sort_ci95", gross.ci95},
                    {"net_joules_per_sort", net.value},
                    {"net_joules_per_sort_ci95", net.ci95},
                    {"joules_per_sort_by_domain", energy.joules_by_domain},
                    {"seconds_per_sort", energy.seconds_per_sort()},
                    {"mean_power_w", energy.mean_power_w()},
                    {"idle_before_w", energy.idle_before_w},
                    {"idle_after_w", energy.idle_after_w},
                    {"counter_step_s", energy.counter_step_s},
                    {"counter_steps", energy.counter_steps}};
  if (energy.integrated_over_counter) json["integrated_over_counter"] = *energy.integrated_over_counter;
  if (!energy.missing.empty()) json["missing"] = energy.missing;
  if (energy.device) json["device"] = conditions_json(*energy.device);
  json["windows"] = std::move(windows);
  return json;
}

CellEnergy energy_from_json(const ordered_json& json) {
  CellEnergy energy;
  for (const ordered_json& w : json.at("windows")) {
    energy.windows.push_back({.sorts = w.at("sorts"),
                              .seconds = w.at("seconds"),
                              .joules = w.at("joules"),
                              .restoring_seconds = w.at("restoring_seconds"),
                              .restoring_joules = w.at("restoring_joules")});
  }
  energy.joules_by_domain = json.at("joules_per_sort_by_domain").get<std::map<std::string, double>>();
  energy.idle_before_w = json.at("idle_before_w");
  energy.idle_after_w = json.at("idle_after_w");
  energy.counter_step_s = json.at("counter_step_s");
  energy.counter_steps = json.at("counter_steps");
  energy.missing = json.value("missing", "");
  if (json.contains("integrated_over_counter"))
    energy.integrated_over_counter = json.at("integrated_over_counter").get<double>();
  if (json.contains("device")) energy.device = conditions_from_json(json.at("device"));
  return energy;
}

}  // namespace sortlab
