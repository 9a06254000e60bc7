// Calibration: what this machine can do, by micro-benchmarks that contain no sorting code.
#pragma once

#include <functional>

#include "models/machine_profile.hpp"

namespace sortlab {

struct CalibrationOptions {
  bool quick = false;  ///< fewer repetitions and sizes: at most 60 s on 2 cores
  std::function<void(double share)> progress = [](double) {};
};

/// Measures every table that models/ read, each point with its 95 % interval. Takes memory of some 320 MiB a thread,
/// more with large caches.
MachineProfile calibrate(const CalibrationOptions& options);

}  // namespace sortlab
