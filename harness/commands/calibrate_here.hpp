// Calibration as a step of another command.
#pragma once

#include <string>

namespace sortlab {

/// Like `sortlab calibrate`: measures the host and the device, if any, reports on standard output, and writes the
/// profile to `path`. `energy`: also what an operation of the device costs. Interrupted, it names the command
/// `resuming`, which goes on with its samples.
void calibrate_here(const std::string& path, bool quick, bool energy, const std::string& resuming);

}  // namespace sortlab
