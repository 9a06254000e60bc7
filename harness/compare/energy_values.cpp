#include "harness/compare/energy_values.hpp"

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
  values.doubt = energy_doubt(energy);
  if (energy.device) {
    constexpr double noticeable = 0.1;
    for (const auto& [reason, share] : energy.device->throttled_shares) {
      if (share >= noticeable) values.throttled.push_back(reason);
    }
  }
  return values;
}

}  // namespace sortlab
