#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "core/build_digest.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/input_size.hpp"
#include "harness/cell/problem.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/commands/commands.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/automatic.hpp"
#include "harness/plan/config.hpp"
#include "harness/plan/recorded_choices.hpp"
#include "harness/record/record_reader.hpp"
#include "models/fitted.hpp"

namespace sortlab {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  CaseOptions cases;
  std::string config;
  std::string records;
  std::string machine;
  std::string model;
  std::string level;
  std::string fit;
  std::string out;
  bool json = false;
};

/// A file, or the name of a paper's machine. Without either, this machine as calibrated.
MachineProfile chosen_machine(const std::string& given) {
  if (given.empty()) {
    if (const MachineProfile* profile = local_profile()) return *profile;
    throw BadInput("machine: this one is not calibrated yet; run `sortlab calibrate --quick`, or give --machine");
  }
  if (std::filesystem::exists(given)) return read_profile(given);
  const std::filesystem::path folder = checkout_root() / "models" / "machines";
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  if (std::ranges::find(names, given) == names.end()) {
    throw BadInput(fmt::format("machine: no file and no machine '{}'{}; allowed: a profile's file, {}", given,
                               did_you_mean(given, names), join(names)));
  }
  return read_profile((folder / (given + ".json")).string());
}

std::filesystem::path fits_path() {
  return local_results(machine_id()) / "fitted.json";
}

const Model* chosen_model(const std::string& name) {
  if (name.empty()) return nullptr;
  std::vector<std::string> names;
  for (const Model* model : all_models()) {
    if (model->info().name == name) return model;
    names.push_back(model->info().name);
  }
  throw BadInput(fmt::format("model: unknown name '{}'{}; allowed: {}", name, did_you_mean(name, names), join(names)));
}

/// The measured sorts of a file of records, each cell once. None, where all were skipped or are components.
std::vector<Case> measured_cases(const std::string& path, std::vector<std::string>& left_out) {
  std::vector<Case> cases;
  std::set<std::string> seen;
  bool any_cell = false;
  for (const Json& record : read_records(path).records) {
    any_cell = any_cell || record["kind"] == "measurement" || record["kind"] == "component";
    if (record["kind"] != "measurement" || record.value("status", "") != "ok") continue;
    if (!seen.insert(record.value("cell", "")).second) continue;
    try {
      cases.push_back(case_from_json(record.at("case"), path));
    } catch (const BadInput& error) {
      left_out.push_back(error.what());
    }
  }
  if (!any_cell) throw BadInput(fmt::format("for: '{}' holds no measured cell", path));
  return cases;
}

void check_asked_once(const Options& options) {
  const int ways = static_cast<int>(options.cases.any()) + static_cast<int>(!options.config.empty()) +
                   static_cast<int>(!options.records.empty());
  if (ways != 1) throw BadInput("what to predict: give --algorithm, a config or --for RECORDS, and only one of them");
}

/// The cases as `machine` would run them, with its own choices for what is auto but for `chosen_here` (choice_of).
std::vector<Case> chosen_cases(const Options& options, const MachineProfile& machine,
                               std::vector<std::string>& left_out, std::set<std::string>& chosen_here) {
  if (!options.records.empty()) return measured_cases(options.records, left_out);
  const std::vector<Sweep> sweeps =
      options.config.empty() ? std::vector{sweep_of(options.cases, Protocol{})} : read_config(options.config).sweeps;
  std::vector<Cell> cells = machine.id == machine_id()
                                ? cells_of(sweeps)
                                : cells_of(sweeps, physical_memory(), Tunings{}, choice_of(machine, chosen_here));
  std::vector<Case> cases;
  for (Cell& cell : cells) {
    if (cell.what.component == nullptr) {
      cases.push_back(std::move(cell.what));
    } else {
      left_out.push_back(fmt::format("{}: a component, which no model predicts", text_of(cell.what)));
    }
  }
  return cases;
}

/// Seconds to read and write every byte once at the best copying bandwidth of what runs the sort; null if it is not
/// known. A host's tables are over threads and bytes, a device's over the bytes of an access and bytes.
Json copy_floor(const Case& c, const MachineProfile& machine) {
  constexpr double beyond_caches = 1e12;  // bytes: the profile's largest working set answers
  constexpr double widest_access = 16;    // bytes
  const double first = c.algorithm->info().runs_on == Processor::device ? widest_access : c.threads;
  double rate = 0;
  for (const char* table : {"copy", "copy_nt"}) {
    const auto found = machine.tables.find(table);
    if (found == machine.tables.end()) continue;
    rate =
        std::max(rate, found->second.arguments.empty() ? machine.at(table) : machine.at(table, {first, beyond_caches}));
  }
  if (rate == 0) return nullptr;
  return 2 * static_cast<double>(input_bytes(c)) / rate;
}

/// To five digits: a sort has up to a hundred phases, and no model knows more of them.
double rounded(double value) {
  return std::stod(fmt::format("{:.5g}", value));
}

/// `basis` is what the model read. A part of `machine` goes by the machine's name, so that the prediction joins the
/// measurements made there, and by its own hash.
Json record_of(const Case& c, const Model& model, const Prediction& prediction, const MachineProfile& basis,
               const MachineProfile& machine, const std::string& view) {
  const MachineProfile* const runner = runs_on(c, machine);
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
  Json cpe_wall = nullptr;
  Json cpe_core = nullptr;
  if (runner != nullptr) {
    const double cycles = c.n == 0 ? 0 : runner->clock_hz * prediction.seconds / static_cast<double>(c.n);
    const bool device = c.algorithm->info().runs_on == Processor::device;
    cpe_wall = cycles;
    cpe_core = cycles * (device ? runner->cores : std::min(c.threads, runner->cores));
  }
  const ModelInfo& info = model.info();
  return {{"schema", 1},
          {"kind", "prediction"},
          {"cell", cell_id(c)},
          {"case", to_json(c, c.distribution.distribution->entropy_bits(input_of(c)))},
          {"model", info.name},
          {"model_digest", build_digest("models")},
          {"profile",
           {{"id", &basis == runner ? machine.id : basis.id},
            {"name", basis.name},
            {"hash", basis.hash},
            {"origin", basis.origin}}},
          {"analytical", info.analytical},
          {"level", info.level},
          {"seconds", prediction.seconds},
          {"cpe_wall", std::move(cpe_wall)},
          {"cpe_core", std::move(cpe_core)},
          {"phases", std::move(phases)},
          {"view", view},
          {"baselines", {{"bytes_over_copy_s", runner == nullptr ? nullptr : copy_floor(c, *runner)}}}};
}

void print_for_people(const Json& record, const std::string& cell) {
  const Json& cycles = record["cpe_core"];
  fmt::print("{}\n  {} on {}: {:.4g} ms, {} cycles an element\n", cell, record["model"].get<std::string>(),
             record["profile"]["name"].get<std::string>(), 1e3 * record["seconds"].get<double>(),
             cycles.is_null() ? "unknown" : fmt::format("{:.2f}", cycles.get<double>()));
  for (const Json& phase : record["phases"]) {
    fmt::print("    {:<22} pass {:<2} {:10.4g} ms  bound by {}\n", phase["name"].get<std::string>(),
               phase["pass"].get<int>(), 1e3 * phase["seconds"].get<double>(), phase["binding"].get<std::string>());
  }
}

void fit_records(const Options& options) {
  std::vector<SortTime> times;
  for (const Json& record : read_records(options.fit).records) {
    if (record["kind"] != "measurement" || record.value("status", "") != "ok") continue;
    try {
      const Case c = case_from_json(record.at("case"), options.fit);
      times.push_back({.algorithm = c.algorithm->info().name,
                       .key = c.key,
                       .value = c.value,
                       .distribution = c.distribution.text,
                       .threads = c.threads,
                       .n = static_cast<double>(c.n),
                       .seconds = record.at("median_s").get<double>()});
    } catch (const BadInput&) {
      continue;  // an algorithm that this build does not have
    }
  }
  MachineProfile fits = fit(times, fmt::format("sortlab predict --fit, {} measured sorts", times.size()));
  const std::string path = options.out.empty() ? fits_path().string() : options.out;
  write_profile(fits, path);
  fmt::print("{}\n", path);
}

void predict(const Options& options, int& exit_status) {
  if (!options.fit.empty()) {
    fit_records(options);
    return;
  }
  check_asked_once(options);
  std::vector<std::string> left_out;
  std::set<std::string> chosen_here;
  const Model* const only = chosen_model(options.model);
  const MachineProfile machine = chosen_machine(options.machine);
  const std::vector<Case> cases = chosen_cases(options, machine, left_out, chosen_here);
  std::optional<MachineProfile> fits;
  if (std::filesystem::exists(fits_path())) fits = read_profile(fits_path().string());

  std::vector<std::pair<Json, std::string>> records;
  Views views;
  for (const Case& c : cases) {
    const std::size_t before = records.size();
    std::string why = fmt::format("no model predicts {}", c.algorithm->info().name);
    if (auto reason = refusal_of_input(c)) {
      left_out.push_back(fmt::format("{}: {}", text_of(c), *reason));
      continue;
    }
    if (c.key == KeyType::string) {
      left_out.push_back(fmt::format("{}: no model predicts sorts of strings", text_of(c)));
      continue;
    }
    if (c.residency == Residency::end_to_end) {
      left_out.push_back(
          fmt::format("{}: models predict the sort alone, without the copies there and back", text_of(c)));
      continue;
    }
    for (const Model* model : models_of(c.algorithm->info().name)) {
      if (only != nullptr && model != only) continue;
      if (!options.level.empty() && model->info().level != options.level) continue;
      if (!model->info().analytical && model->info().level == "fitted" && !fits) continue;
      const MachineProfile* const basis = model->info().level == "fitted" ? &*fits : runs_on(c, machine);
      if (basis == nullptr) {
        why = fmt::format("the profile of {} has no device; `sortlab calibrate --only device` measures one",
                          machine.name);
        continue;
      }
      try {
        const DistributionView& view = views.of(c);
        const Prediction prediction = model->predict(workload_of(c), view, *basis);
        records.emplace_back(record_of(c, *model, prediction, *basis, machine, view.basis()), text_of(c));
      } catch (const MissingQuantity& error) {
        why = error.what();
      } catch (const BadInput& error) {
        why = error.what();
      }
    }
    if (records.size() == before) left_out.push_back(fmt::format("{}: {}", text_of(c), why));
  }
  // Of records it may be that no model has an algorithm of theirs: then there is nothing to say, and no error.
  if (records.empty() && options.records.empty()) {
    throw BadInput(fmt::format("nothing can be predicted: {}", left_out.front()));
  }

  if (!options.out.empty()) {
    std::ofstream file{options.out, std::ios::trunc};
    for (const auto& [record, cell] : records) file << record.dump() << '\n';
    file.close();
    if (!file) throw std::runtime_error(fmt::format("cannot write '{}'", options.out));
  }
  for (const auto& [record, cell] : records) {
    if (options.json) {
      fmt::print("{}\n", record.dump());
    } else if (options.out.empty()) {
      print_for_people(record, cell);
    }
  }
  if (!chosen_here.empty()) {
    fmt::print(stderr, "auto as this processor would choose it, since no record of {} tells: {}; --param gives it\n",
               machine.name, fmt::join(chosen_here, ", "));
  }
  for (const std::string& reason : left_out) fmt::print(stderr, "not predicted: {}\n", reason);
  exit_status = 0;
}

}  // namespace

void add_predict(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand("predict", "Predicts sorts from models and a machine profile");
  auto options = std::make_shared<Options>();
  add_case_options(*command, options->cases, false);
  command->add_option("config", options->config, "predict the cells of this config");
  command->add_option("--for", options->records, "predict every cell measured in these records");
  command->add_option("--machine", options->machine, "a profile's file or a machine of models/machines; else this one");
  command->add_option("--model", options->model, "only this model");
  command->add_option("--level", options->level, "only models of this level")
      ->check(CLI::IsMember({"A", "B", "paper", "fitted"}));
  command->add_option("--fit", options->fit, "instead: fit the fitted models to the times in these records");
  command->add_option("--out", options->out, "write the records (or the fit) to this file");
  command->add_flag("--json", options->json, "print the records on standard output");
  command->footer("Example: sortlab predict --algorithm satish_cpu_radix --n 2^24 --dist thearling:ands=2");
  command->callback([options, &exit_status] { predict(*options, exit_status); });
}

}  // namespace sortlab
