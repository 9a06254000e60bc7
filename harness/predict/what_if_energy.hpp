// Effect of a power cap, or of other traffic with memory, on the time and the energy of a sort on a GPU.
//
// Under a cap the driver lowers the clock until mean power fits. Time at that clock is what the sort's model predicts
// for the machine scaled to it. Voltage follows the clock near its top: energy an operation of the multiprocessors and
// of their cache falls with its square, static power with the clock, and the energy of a byte of memory not at all.
#pragma once

#include <optional>

#include "harness/cell/case.hpp"
#include "models/energy.hpp"

namespace sortlab {

struct EnergyQuestion {
  std::optional<double> power_cap_w{};
  double dram_traffic = 1;  ///< bytes between memory and the cache, as a multiple of the present ones
};

struct EnergyState {
  double seconds = 0;
  double clock = 1;  ///< share of the present one
  EnergyPrediction energy{};

  double watts() const { return energy.joules / seconds; }
};

struct EnergyAnswer {
  const Model* model = nullptr;
  EnergyState now;
  EnergyState asked;
};

/// Throws BadInput for a sort that does not run on a device, a machine whose energy is not calibrated, a sort that no
/// model of kind hardware predicts, and a cap below what the device draws at the least clock.
EnergyAnswer what_if_energy(const Case& c, const MachineProfile& machine, const EnergyQuestion& question);

}  // namespace sortlab
