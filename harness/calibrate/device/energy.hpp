// Energy an operation of a device, by its counter of energy.
#pragma once

#include "harness/calibrate/device/cuda_bench.hpp"
#include "harness/calibrate/rounds.hpp"

namespace sortlab::calibration {

/// Holds probes of `rounds` for a second each, and adds the tables `energy.…` to the profile. Throws EnergyUnavailable.
void calibrate_energy(MachineProfile& profile, const TimedRounds& rounds, CudaBench& bench);

}  // namespace sortlab::calibration
