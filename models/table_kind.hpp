// The kind of model that may read a table: one measured without any sorting code is `hardware`, one that runs a part of
// a sort is `component`.
#pragma once

#include <string_view>

#include "models/machine_profile.hpp"

namespace sortlab {

/// `paper` in a paper's profile, `fitted` among fitted coefficients. In a calibrated one, what the table itself states;
/// in profiles from before tables did, by the micro-benchmark that measured it.
ModelKind table_kind(const MachineProfile& profile, std::string_view name, const ProfileTable& table);

}  // namespace sortlab
