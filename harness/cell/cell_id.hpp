// The identities by which cells and their measurements are joined.
#pragma once

#include <string>
#include <string_view>

#include "harness/cell/case.hpp"

namespace sortlab {

/// Algorithm, component, resolved parameters, input, residency (with the kind of host memory of a sort end to end),
/// threads and cache state, hashed: 16 hexadecimal digits, the same on every machine. Neither stopping rule, affinity,
/// entropy nor build are part of it.
std::string cell_id(const Case&);

/// The cell, the machine with its device if the sort runs on one, and the build of the plug-in with its library's
/// version: the key for resuming.
std::string resume_key(const Case&, std::string_view machine_id);

}  // namespace sortlab
