// The joules of a measurement, as a comparison reads them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sortlab {

struct EnergyValues {
  std::string reason{};                  ///< why there are none; empty otherwise
  std::vector<double> joules{};          ///< joules of a sort, one value for each window
  std::string domains{};                 ///< parts of the machine that draw them: "device", "dram, package"
  std::string doubt{};                   ///< why a change of theirs need not be the sort's; may be empty
  std::vector<std::string> throttled{};  ///< the driver's reasons for a lower clock during a tenth of the time or more
};

/// The joules in a record of a measurement.
EnergyValues energy_values(const nlohmann::ordered_json& record);

}  // namespace sortlab
