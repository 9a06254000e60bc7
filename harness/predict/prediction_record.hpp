// The `prediction` record (results/README.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "harness/cell/case.hpp"
#include "models/energy.hpp"
#include "models/model.hpp"
#include "models/table_log.hpp"

namespace sortlab {

struct Predicted {
  const Case& subject;
  const Model& model;
  const Prediction& prediction;
  const MachineProfile& basis;  ///< profile that the model read: the machine, its device, or fitted coefficients
  const TableLog& tables;       ///< tables of that profile that it read
  const std::string& view;      ///< text about the model's view of the input
  const std::optional<EnergyPrediction>& energy;  ///< joules of a sort on a device whose energy is calibrated
};

/// Makes the record. A host or device of `machine` has the machine's name, so that the prediction joins the
/// measurements made there, and its own hash.
nlohmann::ordered_json prediction_record(const Predicted&, const MachineProfile& machine);

/// Each table with its kind, its arguments (a number, or the range), and their distance from its points.
nlohmann::ordered_json to_json(const TableLog&);

}  // namespace sortlab
