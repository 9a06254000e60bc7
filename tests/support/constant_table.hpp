// A table of a profile for invented machines.
#pragma once

#include "models/machine_profile.hpp"

namespace sortlab {

/// A table that gives `value` for all arguments.
inline ProfileTable constant(std::vector<std::string> arguments, double value) {
  return {.unit = "",
          .source = "",
          .arguments = arguments,
          .points = {{std::vector<double>(arguments.size(), 1), value, {}}}};
}

}  // namespace sortlab
