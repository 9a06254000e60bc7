// Energy of a sort on a device, from the prediction of its time: each phase's joules are static power times its time,
// and the energy of its operations, as `calibrate --energy` found it. No joules of a sort are known to it.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/model.hpp"

namespace sortlab {

/// Operations whose energy a profile may hold (table "energy.<operation>"), by their names in PhasePrediction::work: a
/// warp's instructions, its passes through shared memory, and bytes of the second-level cache and of memory.
inline constexpr std::array<std::string_view, 4> kMeteredOperations{"instructions", "shared_accesses", "bytes.l2",
                                                                    "bytes.dram"};

/// Amounts by name.
using Operations = std::map<std::string, double>;

/// Adds to `operations` those of `more` that have an energy.
void add_metered(Operations& operations, const Operations& more);

struct PhaseEnergy {
  std::string name;
  int pass = 0;
  double static_joules = 0;   ///< static power times the phase's time
  double dynamic_joules = 0;  ///< energy of its operations
};

struct EnergyPrediction {
  double joules = 0;  ///< sum over the phases
  double static_power_w = 0;
  std::vector<PhaseEnergy> phases{};
};

/// The energy of a sort with this prediction; nullopt if the device's energy is not calibrated.
std::optional<EnergyPrediction> predict_energy(const Prediction& prediction, const MachineProfile& device);

}  // namespace sortlab
