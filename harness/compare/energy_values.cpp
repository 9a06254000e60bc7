#include "harness/compare/energy_values.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/parameters.hpp"
#include "harness/cell/energy.hpp"

namespace sortlab {

using nlohmann::ordered_json;

EnergyValues energy_values(const ordered_json& record) {
  if (!record.contains("energy")) return {.reason = "its energy was not metered"};
  if (record["energy"].is_null()) return {.reason = record["energy_reason"].get<std::string>()};
  const CellEnergy energy = energy_from_json(record["energy"]);
  EnergyValues values;
  for (const EnergyWindow& w : energy.windows) values.joules.push_back((w.joules - w.restoring_joules) / w.sorts);
  std::vector<std::string> domains;
  for (const auto& [domain, joules] : energy.joules_by_domain) domains.push_back(domain);
  values.domains = join(domains);
  const double integrated = energy.integrated_over_counter.value_or(1);
  if (std::abs(integrated - 1) > kMaxPowerDifference) {
    values.doubt = fmt::format("the driver's power, integrated, is {:.1f} % of the counter's joules", 100 * integrated);
  }
  if (energy.device) {
    constexpr double noticeable = 0.1;
    for (const auto& [reason, share] : energy.device->throttled_shares) {
      if (share >= noticeable) values.throttled.push_back(reason);
    }
  }
  return values;
}

}  // namespace sortlab
