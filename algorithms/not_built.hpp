// Other people's sorts that this build leaves out, because it was not given their folders.
#pragma once

#include <span>

#include "algorithms/plugin.hpp"

namespace sortlab {

struct NotBuilt {
  const char* name;    ///< the plug-in
  const char* what;    ///< the library
  const char* option;  ///< of CMake, that says where it is
  Processor runs_on;
};
std::span<const NotBuilt> not_built();

}  // namespace sortlab
