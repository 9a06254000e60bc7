#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/printable.hpp"
#include "core/replace_file.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/predict_cases.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/machine.hpp"
#include "harness/predict/predictor.hpp"
#include "harness/predict/profiles.hpp"
#include "harness/record/record_appender.hpp"
#include "models/fitted.hpp"

namespace sortlab {
namespace {

using Json = nlohmann::ordered_json;

struct PredictOptions {
  CaseOptions cases;
  std::string config;
  std::string records;
  std::string machine;
  std::string model;
  std::string kind;
  std::string fit;
  std::string out;
  bool json = false;
};

std::filesystem::path fits_path() {
  return local_results(machine_id()) / "fitted.json";
}

ModelChoice chosen_models(const PredictOptions& options) {
  ModelChoice choice;
  if (!options.kind.empty()) {
    choice.kind = value_named<ModelKind>(options.kind);
  }
  if (options.model.empty()) return choice;
  std::vector<std::string> names;
  for (const Model* model : all_models()) {
    if (model->info().name == options.model) choice.only = model;
    names.push_back(model->info().name);
  }
  if (choice.only == nullptr) {
    throw BadInput(fmt::format("model: unknown name '{}'{}; allowed: {}", options.model,
                               did_you_mean(options.model, names), join(names)));
  }
  return choice;
}

void check_asked_once(const PredictOptions& options) {
  const int ways = static_cast<int>(options.cases.any()) + static_cast<int>(!options.config.empty()) +
                   static_cast<int>(!options.records.empty());
  if (ways != 1) throw BadInput("what to predict: give --algorithm, a config or --for RECORDS, and only one of them");
}

/// "name (key 16, value 0)": a table of the profile, and the arguments at which the model read it.
std::string reading_text(const Json& table) {
  std::vector<std::string> arguments;
  for (const auto& [name, value] : table["arguments"].items()) {
    const double least = (value.is_array() ? value[0] : value).get<double>();
    const double most = (value.is_array() ? value[1] : value).get<double>();
    arguments.push_back(least == most ? fmt::format("{} {:g}", name, least)
                                      : fmt::format("{} {:g} to {:g}", name, least, most));
  }
  return fmt::format("{} ({})", table["name"].get<std::string>(), fmt::join(arguments, ", "));
}

void print_for_people(const Json& record, const std::string& cell) {
  const Json& cycles = record["cpe_core"];
  fmt::print("{}\n  {} ({}) on {}: {:.4g} ms, {} cycles per element\n", printable(cell),
             record["model"].get<std::string>(), record["model_kind"].get<std::string>(),
             printable(record["profile"]["name"].get<std::string>()), 1e3 * record["seconds"].get<double>(),
             cycles.is_null() ? "unknown" : fmt::format("{:.2f}", cycles.get<double>()));
  for (const Json& phase : record["phases"]) {
    fmt::print("    {:<22} pass {:<2} {:10.4g} ms  bound by {}\n", phase["name"].get<std::string>(),
               phase["pass"].get<int>(), 1e3 * phase["seconds"].get<double>(), phase["binding"].get<std::string>());
  }
  std::vector<std::string> beyond;
  for (const Json& table : record["tables"]) {
    if (table["read"] == to_name(Reading::extrapolated)) beyond.push_back(reading_text(table));
  }
  if (!beyond.empty()) {
    fmt::print("    extrapolated beyond what was calibrated: {}\n",
               printable(fmt::format("{}", fmt::join(beyond, "; "))));
  }
}

void fit_records(const PredictOptions& options) {
  const std::vector<SortTime> times = measured_times(options.fit);
  MachineProfile fits = fit(times, fmt::format("sortlab predict --fit, {} measured sorts", times.size()));
  const std::string path = options.out.empty() ? fits_path().string() : options.out;
  write_profile(fits, path);
  fmt::print("{}\n", printable(path));
}

using Records = std::vector<std::pair<Json, std::string>>;  ///< records with the texts of their cells

void write(const Records& records, const PredictOptions& options) {
  if (!options.out.empty()) {
    std::string text;
    for (const auto& [record, cell] : records) text += record_line(record) + '\n';
    replace_file(options.out, text);
  }
  for (const auto& [record, cell] : records) {
    if (options.json) {
      fmt::print("{}\n", record.dump());
    } else if (options.out.empty()) {
      print_for_people(record, cell);
    }
  }
}

void predict(const PredictOptions& options, int& exit_status) {
  if (!options.fit.empty()) {
    fit_records(options);
    return;
  }
  check_asked_once(options);
  const ModelChoice models = chosen_models(options);
  MachineProfile machine = profile_named(options.machine);
  PredictedCases asked =
      options.records.empty() ? cases_on(machine, options.cases, options.config) : measured_cases(options.records);
  std::optional<MachineProfile> fits;
  if (std::filesystem::exists(fits_path())) fits = read_profile(fits_path().string());
  Predictor predictor{std::move(machine), std::move(fits), models};

  Records records;
  for (const Case& c : asked.cases) {
    for (Predictor::Answer& answer : predictor.of(c)) records.emplace_back(std::move(answer.record), case_text(c));
  }
  std::vector<std::string> left_out = std::move(asked.left_out);
  std::ranges::copy(predictor.left_out(), std::back_inserter(left_out));
  // It is no error if the records hold only algorithms without a model, unless a model requested by name refuses this
  // machine.
  const bool refused = predictor.refused_alone() && models.only != nullptr;
  if (records.empty() && (options.records.empty() || refused)) {
    throw BadInput(fmt::format("nothing can be predicted: {}", left_out.front()));
  }

  write(records, options);
  if (!asked.chosen_here.empty()) {
    tell(fmt::format("auto resolved as for this processor, since no record of {} holds the choice: {}; --param sets it",
                     predictor.machine().name, fmt::join(asked.chosen_here, ", ")));
  }
  for (const std::string& reason : left_out) tell(fmt::format("not predicted: {}", reason));
  exit_status = 0;
}

}  // namespace

void add_predict(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand("predict", "Predicts sorts from models and a machine profile");
  auto options = std::make_shared<PredictOptions>();
  add_case_options(*command, options->cases, false);
  command->add_option("config", options->config, "Predict the cells of this config");
  command->add_option("--for", options->records, "Predict every cell measured or counted in these records");
  command->add_option("--machine", options->machine,
                      "A profile of `sortlab list machines`, its file, or a machine's id; default: this machine");
  command->add_option("--model", options->model, "Only this model");
  command->add_option("--kind", options->kind, "Only models of this kind")
      ->check(CLI::IsMember({"paper", "hardware", "component", "fitted"}));
  command->add_option("--fit", options->fit,
                      "Instead of predicting, fit the models of kind fitted to the times in these records");
  command->add_option("--out", options->out, "Write the records (or the fit) to this file");
  command->add_flag("--json", options->json, "Print the records on standard output");
  command->footer("Example: sortlab predict --algorithm my_sort --n 2^24 --dist thearling:ands=2");
  command->callback([options, &exit_status] { predict(*options, exit_status); });
}

}  // namespace sortlab
