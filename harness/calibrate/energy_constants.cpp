#include "harness/calibrate/energy_constants.hpp"

#include <algorithm>

namespace sortlab::calibration {

std::map<std::string, double> energy_per_operation(double static_w, const std::vector<HeldProbe>& probes) {
  std::map<std::string, double> joules;
  for (const HeldProbe& probe : probes) {
    double left = probe.joules - static_w * probe.seconds;
    for (const auto& [operation, count] : probe.operations) {
      const auto known = joules.find(operation);
      if (operation != probe.adds && known != joules.end()) left -= count * known->second;
    }
    joules[probe.adds] = std::max(0.0, left / probe.operations.at(probe.adds));
  }
  return joules;
}

}  // namespace sortlab::calibration
