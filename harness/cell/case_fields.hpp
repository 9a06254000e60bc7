// The fields of a case: their names, and how each is written and read.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <span>
#include <vector>

#include "harness/cell/case.hpp"

namespace sortlab {

class JsonField;

/// Facts known once a cell was measured.
struct MeasuredFacts {
  std::optional<double> entropy_bits{};  ///< entropy of the input's keys
  std::vector<int> affinity{};           ///< processors that the sort ran on
};

/// One member of a record's `case` or of a cell's identity.
struct CaseField {
  const char* name;
  nlohmann::ordered_json (*write)(const Case&, const MeasuredFacts&);
  void (*read)(Case&, const JsonField&) = nullptr;  ///< throws BadInput; null: the field follows from the others
  bool identifies = true;                           ///< part of the cell's identity
  bool recorded = true;                             ///< member of a record's `case`
  bool (*applies)(const Case&) = nullptr;           ///< null: in every case
};

/// All fields, in the order in which records and identities hold them. `algorithm` comes first, since other fields are
/// read by its declarations.
std::span<const CaseField> case_fields();

}  // namespace sortlab
