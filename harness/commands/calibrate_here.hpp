// Calibration as a step of another command.
#pragma once

#include <string>

namespace sortlab {

/// As `sortlab calibrate` does: measures the host and, where there is one, the device, says so on standard output, and
/// writes the profile to `path`.
void calibrate_here(const std::string& path, bool quick);

}  // namespace sortlab
