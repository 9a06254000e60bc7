// Cases as records and configs hold them (results/README.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

#include "harness/cell/case_fields.hpp"

namespace sortlab {

class JsonField;

/// Parameters as an object, each with its own type, and the inverse as text for resolve().
nlohmann::ordered_json to_json(const Parameters&);
GivenParameters read_parameters(const JsonField& field);

/// `case` of a record.
nlohmann::ordered_json to_json(const Case&, const MeasuredFacts& = {});

/// The inverse, for our own and for untrusted records. Throws BadInput, for an unknown algorithm, say.
Case case_from_json(const nlohmann::ordered_json& json, const std::string& where = "case");

/// A case for another process of this machine, with the facts that its input needs (Distribution::facts_for_workers),
/// and the inverse, which takes the facts.
nlohmann::ordered_json message_from_case(const Case&);
Case case_from_message(const nlohmann::ordered_json& json, const std::string& where = "case");

/// The residency in a record's `case`, for tables: "end_to_end/pinned"; empty where input and result are where the
/// sort runs.
std::string end_to_end_text(const nlohmann::ordered_json& recorded_case);

}  // namespace sortlab
