// The identities by which cells and their measurements are joined.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "harness/cell/case.hpp"

namespace sortlab {

/// Algorithm, component, resolved parameters, input, residency (with the kind of host memory of a sort end to end),
/// threads and cache state, hashed: 16 hexadecimal digits, the same on every machine. Neither stopping rule, affinity,
/// entropy nor build are part of it.
std::string cell_id(const Case&);

/// The same from a record's `case`, which may name what this build lacks. Neither the order of its members matters, nor
/// whether a whole number is written as 1 or as 1.0.
/// Python's readers know the same rule (plots/records/cell_id.py).
std::string cell_id(const nlohmann::ordered_json& recorded_case);

/// `cell_scheme` of a record whose `cell` this rule has made. Where the rule must change, so must the number: readers
/// hold a record's case to its cell.
inline constexpr int kCellScheme = 1;

/// The cell, the machine with its device if the sort runs on one, and the build of the plug-in with its library's
/// version: the key for resuming.
std::string resume_key(const Case&, std::string_view machine_id);

}  // namespace sortlab
