// Cases as records and configs hold them (results/README.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

#include "harness/cell/case.hpp"

namespace sortlab {

class JsonField;

/// Parameters as an object, typed, and the inverse as text for resolve().
nlohmann::ordered_json to_json(const Parameters&);
GivenParameters read_parameters(const JsonField& field);

/// `case` of a record. `entropy_bits` and `affinity` are known once the cell was measured.
nlohmann::ordered_json to_json(const Case&, std::optional<double> entropy_bits = {},
                               const std::vector<int>& affinity = {});

/// The inverse, for our own and for untrusted records. Throws BadInput, for an unknown algorithm, say.
Case case_from_json(const nlohmann::ordered_json& json, const std::string& where = "case");

/// The residency of `case` in a record, for tables: "end_to_end/pinned"; empty where input and result are where the
/// sort runs.
std::string end_to_end_text(const nlohmann::ordered_json& what);

}  // namespace sortlab
