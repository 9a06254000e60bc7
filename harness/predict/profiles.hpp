// Machine profiles: this machine's, another's by name, and the host or device part that runs a sort.
#pragma once

#include <string>

#include "harness/cell/case.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

/// This machine's calibrated profile (results/local/<machine>/profile.json), or null without one. Read once.
const MachineProfile* local_profile();

/// A file, or the name of a machine of models/machines; empty: this machine as calibrated. One that a datasheet
/// describes is made of the profile that it names, scaled. Throws BadInput.
MachineProfile profile_named(const std::string& given);

/// The part of `machine` that runs the sort: a device of it, or the host. Null if it has none.
const MachineProfile* runs_on(const Case&, const MachineProfile& machine);

}  // namespace sortlab
