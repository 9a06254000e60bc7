// Machine profiles: of this machine, or of another by name, and the host or device that runs a sort.
#pragma once

#include <string>

#include "harness/cell/case.hpp"
#include "models/machine_profile.hpp"

namespace sortlab {

/// This machine's calibrated profile (results/local/<machine>/profile.json), or null if there is none. Read once.
const MachineProfile* local_profile();

/// The profile that profile_file() (known_profiles.hpp) finds; empty: of this machine, as calibrated. A profile from a
/// datasheet is made by scaling the measured profile that it names. Throws BadInput.
MachineProfile profile_named(const std::string& given);

/// The description of a GPU by its datasheet, unscaled, given as to profile_named(). Throws BadInput, also for a
/// machine of another origin.
MachineProfile datasheet_named(const std::string& given);

/// The part of `machine` that runs the sort: its device or its host. Null if it has no device.
const MachineProfile* runs_on(const Case&, const MachineProfile& machine);

}  // namespace sortlab
