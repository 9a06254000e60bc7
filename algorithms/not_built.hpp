// External sorts that this build omits because their source folders were not given.
#pragma once

#include <span>

#include "algorithms/plugin.hpp"

namespace sortlab {

struct NotBuilt {
  const char* name;    ///< the plug-in
  const char* what;    ///< the library
  const char* option;  ///< CMake variable with its location
  Processor runs_on;
};
std::span<const NotBuilt> not_built();

}  // namespace sortlab
