// A machine for which every quantity is 1: a model's prediction for it is no time, but has all the operations that the
// model counts.
#pragma once

#include <string_view>

#include "models/machine_profile.hpp"

namespace sortlab {

inline constexpr std::string_view kOriginOfUnits = "units";  ///< MachineProfile::origin; no file has it

/// For models of host sorts: it has no devices.
MachineProfile unit_machine();

}  // namespace sortlab
