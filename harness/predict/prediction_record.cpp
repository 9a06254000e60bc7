#include "harness/predict/prediction_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/build_digest.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/input_size.hpp"
#include "harness/cell/problem.hpp"
#include "harness/predict/profiles.hpp"

namespace sortlab {
namespace {

using Json = nlohmann::ordered_json;

/// Seconds to read and write every byte once at the best copy bandwidth of the host or device that runs the sort; null
/// if unknown. A host's table has arguments threads and bytes, a device's table bytes per access and bytes.
Json copy_floor(const Case& c, const MachineProfile& machine) {
  constexpr double widest_access = 16;  // bytes
  const double first = is_on_devices(c.algorithm->info().runs_on) ? widest_access : c.threads;
  double rate = 0;
  for (const char* table : {"copy", "copy_nt"}) {
    const auto found = machine.tables.find(table);
    if (found == machine.tables.end()) continue;
    rate =
        std::max(rate, found->second.arguments.empty() ? machine.at(table) : machine.at(table, {first, kBeyondCaches}));
  }
  if (rate == 0) return nullptr;
  return 2 * static_cast<double>(input_bytes(c)) / rate;
}

/// Rounds to five digits: a sort has up to a hundred phases, and no model is more exact.
double rounded(double value) {
  return std::strtod(fmt::format("{:.5g}", value).c_str(), nullptr);
}

Json phases_json(const Prediction& prediction) {
  Json phases = Json::array();
  for (const PhasePrediction& phase : prediction.phases) {
    Json work = Json::object();
    for (const auto& [what, amount] : phase.work) work[what] = rounded(amount);
    phases.push_back({{"name", phase.name},
                      {"pass", phase.pass},
                      {"seconds", rounded(phase.seconds)},
                      {"binding", phase.binding},
                      {"work", std::move(work)}});
  }
  return phases;
}

/// Joules of a sort and of its phases. They are not rounded, so that the phases add up to the whole.
Json energy_json(const EnergyPrediction& energy) {
  Json phases = Json::array();
  for (const PhaseEnergy& phase : energy.phases) {
    phases.push_back({{"name", phase.name},
                      {"pass", phase.pass},
                      {"static_joules", phase.static_joules},
                      {"dynamic_joules", phase.dynamic_joules}});
  }
  return {{"joules", energy.joules}, {"static_power_w", energy.static_power_w}, {"phases", std::move(phases)}};
}

Json profile_json(const MachineProfile& basis, const std::string& id) {
  Json json{{"id", id}, {"name", basis.name}, {"hash", basis.hash}, {"origin", basis.origin}};
  if (!basis.compute_capability.empty()) json["compute_capability"] = basis.compute_capability;
  if (!basis.libraries.empty()) json["libraries"] = basis.libraries;
  if (basis.origin == kScaledOrigin) {
    json["base"] = basis.base;
    Json& factors = json["factors"] = Json::object();
    for (const auto& [resource, factor] : basis.factors) factors[resource] = rounded(factor);
  }
  return json;
}

}  // namespace

Json to_json(const TableLog& log) {
  Json tables = Json::array();
  for (const auto& [name, read] : log.reads()) {
    Json arguments = Json::object();
    for (const TableRead::Argument& argument : read.arguments) {
      const double least = rounded(argument.least), most = rounded(argument.most);
      arguments[argument.name] = least == most ? Json(least) : Json{least, most};
    }
    tables.push_back({{"name", name},
                      {"kind", to_name(read.kind)},
                      {"arguments", std::move(arguments)},
                      {"read", to_name(read.reading)}});
  }
  return tables;
}

Json prediction_record(const Predicted& predicted, const MachineProfile& machine) {
  const Case& c = predicted.subject;
  const ModelInfo& info = predicted.model.info();
  const double seconds = predicted.prediction.seconds;
  const ModelKind kind = predicted.basis.origin == kScaledOrigin ? ModelKind::scaled : info.kind;
  Json tables = to_json(predicted.tables);  // before copy_floor() below reads more tables
  const MachineProfile* const runner = runs_on(c, machine);
  Json cpe_wall = nullptr;
  Json cpe_core = nullptr;
  if (runner != nullptr) {
    const double cycles = c.n == 0 ? 0 : runner->clock_hz * seconds / static_cast<double>(c.n);
    const bool device = is_on_devices(c.algorithm->info().runs_on);
    cpe_wall = cycles;
    cpe_core = cycles * (device ? runner->cores : std::min(c.threads, runner->cores));
  }
  Json record{{"schema", 1},
              {"kind", "prediction"},
              {"cell", cell_id(c)},
              {"cell_scheme", kCellScheme},
              {"case", to_json(c, {.entropy_bits = c.distribution.distribution->entropy_bits(case_input(c))})},
              {"model", info.name},
              {"model_kind", to_name(kind)},
              {"model_family", info.family},
              {"model_digest", build_digest("models")},
              {"profile", profile_json(predicted.basis, &predicted.basis == runner ? machine.id : predicted.basis.id)},
              {"seconds", seconds},
              {"cpe_wall", std::move(cpe_wall)},
              {"cpe_core", std::move(cpe_core)},
              {"phases", phases_json(predicted.prediction)},
              {"tables", std::move(tables)},
              {"view", predicted.view},
              {"baselines", {{"bytes_over_copy_s", runner == nullptr ? nullptr : copy_floor(c, *runner)}}}};
  if (predicted.energy) record["energy"] = energy_json(*predicted.energy);
  if (info.papers_times) record["papers_times"] = true;
  return record;
}

}  // namespace sortlab
