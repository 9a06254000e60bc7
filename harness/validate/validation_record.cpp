#include "harness/validate/validation_record.hpp"

#include <span>

#include "core/build_digest.hpp"
#include "core/sha256.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/machine.hpp"
#include "harness/record/run_record.hpp"
#include "harness/validate/validation_text.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// Each point of `again` with the profile's value.
void add_points(ordered_json& points, const char* on, const MachineProfile& profile, const MachineProfile& again) {
  for (const auto& [name, table] : again.tables) {
    for (const ProfileTable::Point& point : table.points) {
      double before = 0;
      try {
        before = profile.at(name, std::span{point.at});
      } catch (const MissingQuantity&) {  // an older profile lacks the table
        continue;
      }
      ordered_json at = ordered_json::object();
      for (std::size_t i = 0; i < point.at.size(); ++i) at[table.arguments[i]] = point.at[i];
      points.push_back({{"on", on},
                        {"table", name},
                        {"unit", table.unit},
                        {"at", std::move(at)},
                        {"profile", before},
                        {"again", point.value}});
    }
  }
}

ordered_json header(const char* kind, const std::string& validation) {
  return {{"schema", 1}, {"kind", kind}, {"validation", validation}, {"time", new_run().started}};
}

}  // namespace

std::string sha256_of_lines(const std::vector<CommittedPrediction>& predictions) {
  std::string text;
  for (const CommittedPrediction& prediction : predictions) text += prediction.line + '\n';
  return sha256_hex(text);
}

ordered_json validation_record(const ValidationRequest& asked, const ProfileFile& profile, const Drawn& drawn,
                               const std::vector<CommittedPrediction>& predictions) {
  const MachineProfile& machine = profile.profile;
  ordered_json devices = ordered_json::array();
  for (const MachineProfile& device : machine.devices) devices.push_back(device.hash);
  ordered_json committed = ordered_json::array();
  for (const CommittedPrediction& prediction : predictions) {
    committed.push_back(
        {{"cell", prediction.cell}, {"model", prediction.model}, {"sha256", sha256_hex(prediction.line)}});
  }
  const auto& draw = asked.draw;
  ordered_json record = header("validation", new_run().id);
  record.update({{"machine", machine_id()},
                 {"asked",
                  {{"command", without_key_paths(command_line())},
                   {"seed", draw.seed},
                   {"budget_s", asked.budget_s},
                   {"config", asked.config.empty() ? ordered_json() : ordered_json(asked.config)},
                   {"model_kind", draw.kind ? ordered_json(to_name(*draw.kind)) : ordered_json()},
                   {"algorithms", draw.algorithms}}},
                 {"build", build_record()},
                 {"model_digest", build_digest("models")},
                 {"profile",
                  {{"id", machine.id},
                   {"hash", machine.hash},
                   {"devices", std::move(devices)},
                   {"source", machine.source},
                   {"file", profile.name},
                   {"sha256", profile.sha256}}},
                 {"protocol", to_json(validation_protocol())},
                 {"drawn",
                  {{"cells", drawn.cells.size()},
                   {"algorithms", drawn.algorithms},
                   {"left_out", drawn.left_out},
                   {"coverage", coverage_record(drawn.coverage)}}},
                 {"predictions", std::move(committed)},
                 {"predictions_sha256", sha256_of_lines(predictions)}});
  if (!asked.inputs.empty()) record["asked"]["inputs"] = asked.inputs;
  if (draw.energy) record["asked"]["energy"] = true;
  return record;
}

ordered_json drift_record(const std::string& validation, const std::string& when, const MachineProfile& profile,
                          const MachineProfile* again, const std::vector<Repeat>& repeats) {
  ordered_json record = header("drift", validation);
  record["when"] = when;
  ordered_json points = ordered_json::array();
  if (again != nullptr) {
    points.push_back({{"on", "host"},
                      {"table", "clock"},
                      {"unit", "1/s"},
                      {"at", ordered_json::object()},
                      {"profile", profile.clock_hz},
                      {"again", again->clock_hz}});
    add_points(points, "host", profile, *again);
    if (!again->devices.empty() && !profile.devices.empty()) {
      add_points(points, "device", profile.devices.front(), again->devices.front());
    }
  }
  record["calibration"] = std::move(points);
  ordered_json cells = ordered_json::array();
  for (const Repeat& repeat : repeats) {
    cells.push_back({{"cell", repeat.cell},
                     {"first_s", repeat.first_s},
                     {"again_s", repeat.again_s},
                     {"samples_s", repeat.samples_s}});
  }
  record["repeats"] = std::move(cells);
  return record;
}

ordered_json validation_end_record(const std::string& validation, const ValidationEnd& end) {
  ordered_json different = ordered_json::array();
  for (const auto& [cell, model] : end.different) different.push_back({{"cell", cell}, {"model", model}});
  ordered_json record = header("validation_end", validation);
  record.update({{"measured", end.measured},
                 {"left", end.left},
                 {"lost", end.lost},
                 {"predicted_again", {{"sha256", end.predicted_again_sha256}, {"different", std::move(different)}}},
                 {"records_sha256", end.records_sha256}});
  return record;
}

}  // namespace sortlab
