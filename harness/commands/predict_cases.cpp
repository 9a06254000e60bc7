#include "harness/commands/predict_cases.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/cell/case_json.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/config.hpp"
#include "harness/plan/recorded_choices.hpp"
#include "harness/record/record_reader.hpp"
#include "harness/record/run_order.hpp"

namespace sortlab {
namespace {

using Json = nlohmann::ordered_json;

bool is_measured_sort(const Json& record) {
  return record["kind"] == "measurement" && record["status"] == "ok";
}

bool is_counted_sort(const Json& record) {
  return record["kind"] == "count" && record["status"] == "ok";
}

/// Reads the case of a measurement or a count. Throws BadInput.
Case read_case(const Json& record, const std::string& path) {
  return case_from_json(record["case"], path + ": case");
}

}  // namespace

PredictedCases cases_on(const MachineProfile& machine, const CaseOptions& options, const std::string& config) {
  PredictedCases found;
  const std::vector<Sweep> sweeps = config.empty() ? make_sweeps(options, Protocol{}) : read_config(config).sweeps;
  std::vector<Cell> cells = machine.id == machine_id()
                                ? expand_sweeps(sweeps)
                                : expand_sweeps(sweeps, Tunings{}, make_chooser(machine, found.chosen_here));
  for (Cell& cell : cells) {
    if (cell.subject.component == nullptr) {
      found.cases.push_back(std::move(cell.subject));
    } else {
      found.left_out.push_back(fmt::format("{}: a component, which no model predicts", case_text(cell.subject)));
    }
  }
  return found;
}

PredictedCases measured_cases(const std::string& path) {
  PredictedCases found;
  std::set<std::string> seen;
  bool any_cell = false;
  const RecordFile file = read_records(path);
  if (file.torn) found.left_out.push_back(fmt::format("{}: {}", path, file.end_note));
  for (const Json& record : file.records) {
    any_cell =
        any_cell || record["kind"] == "measurement" || record["kind"] == "component" || record["kind"] == "count";
    if (!is_measured_sort(record) && !is_counted_sort(record)) continue;
    if (!seen.insert(record["cell"]).second) continue;
    try {
      found.cases.push_back(read_case(record, path));
    } catch (const BadInput& error) {
      found.left_out.push_back(error.what());
    }
  }
  if (!any_cell) throw BadInput(fmt::format("for: '{}' holds no cell that was measured or counted", path));
  return found;
}

std::vector<SortTime> measured_times(const std::string& path) {
  std::vector<SortTime> times;
  const RecordFile file = read_records(path);
  for (const Json* const record : newest_of_cells(file.records)) {
    if (!is_measured_sort(*record)) continue;
    try {
      const Case c = read_case(*record, path);
      times.push_back({.algorithm = c.algorithm->info().name,
                       .key = c.key,
                       .value = c.value,
                       .distribution = c.distribution.text,
                       .threads = c.threads,
                       .n = static_cast<double>(c.n),
                       .seconds = record->at("median_s").get<double>()});
    } catch (const BadInput&) {
      continue;  // this build does not have the algorithm
    }
  }
  return times;
}

}  // namespace sortlab
