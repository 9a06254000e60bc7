// Calibration: measures this machine by micro-benchmarks of its mechanisms and of pieces of our sorts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/machine_profile.hpp"

namespace sortlab {

struct CalibrationOptions {
  bool quick = false;                 ///< fewer repetitions and sizes: at most 60 s on 2 cores, 20 s on an H200
  std::vector<std::string> probes{};  ///< only these, by name; empty: all
  std::optional<double> repeat_s{};   ///< time for repeating points with a wide interval; none: by `quick`
  std::function<void(double share)> progress = [](double) {};
};

/// This machine's facts, with no tables.
MachineProfile host_facts(const CalibrationOptions& options);

/// host_facts() with every table that models of host sorts read, each point with its 95 % interval. Takes some 320 MiB
/// of memory per thread, more with large caches.
MachineProfile calibrate_host(const CalibrationOptions& options);

/// The same for CUDA's device 0, of which it takes at most 20 GiB. Null in a build without CUDA. Throws DeviceError.
[[gnu::weak]] MachineProfile calibrate_device(const CalibrationOptions& options);

/// Command, date and commit: the source that a calibrated profile names.
std::string calibration_source(const CalibrationOptions& options);

}  // namespace sortlab
