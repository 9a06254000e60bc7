// The error of counting tools.
#pragma once

#include <stdexcept>

namespace sortlab {

/// Thrown if a tool cannot count on this machine, with the reason in one line.
struct CountingFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sortlab
