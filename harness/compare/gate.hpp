// The answer of a gate: may a change pass, by a comparison before and after it?
#pragma once

#include <string>
#include <vector>

#include "harness/compare/compare.hpp"

namespace sortlab {

/// Exit statuses of `compare --fail-if-slower`. Bad input has status 2, as everywhere.
enum class GateStatus {
  passed = 0,     ///< cells were judged, and none became slower by more than the threshold
  slower = 1,     ///< a cell became slower by more than the threshold
  failed = 3,     ///< a sort of B gave a wrong output, or no result where A's was verified or failed in another way
  undecided = 4,  ///< no cell was judged faster, slower or same, so nothing is known of the change
};

struct GateAnswer {
  GateStatus status = GateStatus::passed;
  std::vector<std::string> lines{};  ///< one for each cell that fails the gate, then one on cells without a verdict
};

/// Judges a comparison. Where several statuses hold, `failed` comes before `slower`.
GateAnswer gate(const Comparison& comparison, double percent);

/// Algorithm, component, and residency if it is not the default: "my_sort/presort", "my_sort end_to_end/pinned".
std::string runner_text(const nlohmann::ordered_json& subject);
/// A member of a case as text, "-" if it is missing.
std::string member_text(const nlohmann::ordered_json& subject, const char* member);

}  // namespace sortlab
