// A prediction as a record: results/README.md, `prediction`.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/cell/case.hpp"
#include "models/model.hpp"
#include "models/table_log.hpp"

namespace sortlab {

struct Predicted {
  const Case& what;
  const Model& model;
  const Prediction& prediction;
  const MachineProfile& basis;  ///< the profile that the model read: the machine, its device, or fitted coefficients
  const TableLog& tables;       ///< of the profile that it read
  const std::string& view;      ///< its knowledge of the input
};

/// A part of `machine` goes by the machine's name, so that the prediction joins the measurements made there, and by its
/// own hash.
nlohmann::ordered_json record_of(const Predicted&, const MachineProfile& machine);

/// Each table with its kind, arguments (a number, or the least and the most) and how far from its points they are.
nlohmann::ordered_json to_json(const TableLog&);

}  // namespace sortlab
