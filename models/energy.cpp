#include "models/energy.hpp"

#include <algorithm>

namespace sortlab {

void add_metered(Operations& operations, const Operations& more) {
  for (const auto& [name, amount] : more) {
    if (std::ranges::find(kMeteredOperations, name) != kMeteredOperations.end()) operations[name] += amount;
  }
}

std::optional<EnergyPrediction> predict_energy(const Prediction& prediction, const MachineProfile& device) {
  if (!device.has("energy.static")) return std::nullopt;
  EnergyPrediction energy{.static_power_w = device.at("energy.static")};
  for (const PhasePrediction& phase : prediction.phases) {
    PhaseEnergy of_phase{
        .name = phase.name, .pass = phase.pass, .static_joules = energy.static_power_w * phase.seconds};
    for (const std::string_view operation : kMeteredOperations) {
      const auto amount = phase.work.find(std::string{operation});
      if (amount == phase.work.end()) continue;
      of_phase.dynamic_joules += amount->second * device.at("energy." + std::string{operation});
    }
    energy.joules += of_phase.static_joules + of_phase.dynamic_joules;
    energy.phases.push_back(std::move(of_phase));
  }
  return energy;
}

}  // namespace sortlab
