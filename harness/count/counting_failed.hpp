// Nothing can be counted here.
#pragma once

#include <stdexcept>

namespace sortlab {

/// A tool counted nothing, and why, in one line.
struct CountingFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sortlab
