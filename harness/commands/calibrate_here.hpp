// Calibration as a step of another command.
#pragma once

#include <string>

namespace sortlab {

/// Like `sortlab calibrate`: measures the host and the device, if any, reports on standard output, and writes the
/// profile to `path`.
void calibrate_here(const std::string& path, bool quick);

}  // namespace sortlab
