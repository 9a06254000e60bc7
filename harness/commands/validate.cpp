#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <random>
#include <set>
#include <system_error>

#include "algorithms/host_probe.hpp"
#include "core/affinity.hpp"
#include "core/child_process.hpp"
#include "core/printable.hpp"
#include "core/read_file.hpp"
#include "core/replace_file.hpp"
#include "core/sha256.hpp"
#include "core/standard_streams.hpp"
#include "harness/calibrate/calibrate.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/cell/parse.hpp"
#include "harness/commands/calibrate_here.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/python_commands.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/automatic.hpp"
#include "harness/plan/config.hpp"
#include "harness/predict/known_profiles.hpp"
#include "harness/predict/predictor.hpp"
#include "harness/run/duration.hpp"
#include "harness/run/signals.hpp"
#include "harness/validate/error_split.hpp"
#include "harness/validate/validation.hpp"
#include "harness/validate/validation_text.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

struct ValidateOptions {
  std::string budget;
  std::string seed;
  std::string machine;
  std::string out;
  std::string config;
  std::vector<std::string> inputs;
  std::string kind;
  std::vector<std::string> algorithms;
  bool quick = false;
  bool dry_run = false;
  bool no_page = false;
  bool split = false;
  bool energy = false;
};

constexpr double kStandardBudget_s = 600;
constexpr double kDrawnShare = 0.6;  ///< share of the budget for drawn cells; the rest is for predictions and drift

/// The request, as far as it is known without the profile.
struct Request {
  ValidationRequest request;
  fs::path folder;
  std::optional<Config> config;
  bool began = false;
};

/// A new seed, short enough to be typed.
std::uint64_t new_seed() {
  return std::random_device{}() % 1'000'000'000;
}

Request read(const ValidateOptions& options) {
  Request asked;
  ValidationRequest& request = asked.request;
  std::optional<std::uint64_t> seed;
  if (!options.seed.empty()) seed = parse_seed(options.seed);
  if (!options.kind.empty()) {
    request.draw.kind = options.kind == "component" ? ModelKind::component : ModelKind::hardware;
  }
  request.draw.algorithms = options.algorithms;
  request.draw.energy = options.energy;
  if (options.energy) {
    if (options.kind == "component") {
      throw BadInput("energy: no model of kind component predicts joules; allowed: hardware");
    }
    request.draw.kind = ModelKind::hardware;
  }
  if (!options.config.empty()) asked.config = read_config(options.config);
  if (asked.config) request.config = asked.config->name;
  if (asked.config && !options.inputs.empty()) throw BadInput("input: a config names its own inputs; leave one out");
  if (!options.inputs.empty()) {  // refused before anything is calibrated
    CaseOptions cases;
    cases.algorithms = {"std_sort"};
    cases.inputs = options.inputs;
    static_cast<void>(expand_sweeps(make_sweeps(cases, validation_protocol())));
  }
  check(request.draw);
  request.budget_s = options.budget.empty() ? kStandardBudget_s : parse_duration(options.budget, "budget");

  std::optional<BegunWith> begun;
  if (!options.out.empty()) begun = begun_with(options.out);
  if (begun && seed && *seed != begun->seed) {
    throw BadInput(
        fmt::format("seed: {} was begun with {}; give that one, or another --out", options.out, begun->seed));
  }
  if (!seed) seed = begun ? begun->seed : new_seed();
  asked.folder = options.out.empty() ? local_results(machine_id()) / "validation" / fmt::format("{}", *seed)
                                     : fs::path{options.out};
  if (!begun) begun = begun_with(asked.folder);
  asked.began = begun.has_value();
  if (begun && options.budget.empty()) request.budget_s = begun->budget_s;
  request.draw.seed = *seed;
  request.draw.fill_s = kDrawnShare * (begun ? begun->budget_s : request.budget_s);
  return asked;
}

/// The command that resumes the validation, with the seed even if none was given.
std::string going_on(const Request& asked, const ValidateOptions& options) {
  std::string text = command_text();
  if (options.seed.empty() && options.out.empty()) text += fmt::format(" --seed {}", asked.request.draw.seed);
  return text;
}

/// Puts the profile into the folder, unless it is there already.
void provide_profile(const Request& asked, const ValidateOptions& options) {
  const fs::path path = asked.folder / kValidationProfile;
  if (!options.machine.empty()) {
    const std::string file = profile_file(options.machine).string();
    const MachineProfile given = read_profile(file);
    if (!asked.began && given.id != machine_id()) {
      throw BadInput(
          fmt::format("machine: '{}' is the profile of {}; this machine, which is measured, is {}; without --machine "
                      "it is calibrated",
                      options.machine, given.id, machine_id()));
    }
    if (!fs::exists(path)) {
      const std::optional<std::string> bytes = read_file(file);
      if (!bytes) throw BadInput(fmt::format("machine: '{}' cannot be read", options.machine));
      replace_file(path, *bytes);
    } else if (sha256_of_file(path) != sha256_of_file(file)) {
      throw BadInput(fmt::format("machine: {} holds another profile; give another --out", asked.folder.string()));
    }
  }
  if (fs::exists(path)) return;
  const fs::path unfinished = asked.folder / "profile.unfinished.json";
  fs::remove(unfinished);
  calibrate_here(unfinished.string(), options.quick, options.energy, going_on(asked, options));
  fs::rename(unfinished, path);
}

/// The tables that reveal drift: rates of memory and cache, the clock, and for a GPU also its issue rates.
std::optional<MachineProfile> calibrate_again(bool with_device) {
  constexpr double repeat_s = 3;
  constexpr double limit_s = 20;
  MachineProfile again =
      calibrate_host({.quick = true, .probes = {"streams"}, .repeat_s = repeat_s, .limit_s = limit_s});
  if (with_device && calibrate_device != nullptr && !gpus_here().names.empty()) {
    again.devices = {
        calibrate_device({.quick = true, .probes = {"issue", "streams"}, .repeat_s = repeat_s, .limit_s = limit_s})};
  }
  return again;
}

/// The profile with the machine's own tables and those of a sort's probes timed again, as densely as they were. A
/// device is timed whole.
MachineProfile sort_timed_again(const Algorithm& algorithm, const MachineProfile& before) {
  CalibrationOptions options{
      .quick = before.source.starts_with("sortlab calibrate --quick"), .probes = {}, .repeat_s = 5, .limit_s = 30};
  if (algorithm.info().runs_on != Processor::host) {
    MachineProfile again = before;
    again.devices = {calibrate_device(options)};
    return updated(before, again);
  }
  for (const calibration::HostProbe& probe : calibration::host_probes()) {
    const bool is_read = probe.kind == calibration::TableKind::hardware || probe.name == algorithm.info().name;
    if (is_read) options.probes.push_back(probe.name);
  }
  return updated(before, calibrate_host(options));
}

/// Throws BadInput if the profile cannot tell the joules of a sort.
void check_has_energy(const MachineProfile& profile) {
  if (profile.devices.empty()) throw BadInput("energy: the profile has no device");
  const MachineProfile& device = profile.devices.front();
  if (device.has("energy.static")) return;
  const std::string reason = missing_energy(device);
  throw BadInput(fmt::format("energy: the profile has no energy of its device{}",
                             reason.empty() ? "; `sortlab calibrate --energy` measures it" : ": " + reason));
}

void show_draw(const Request& asked, const MachineProfile& profile) {
  Drawn drawn = draw(asked.request.draw, profile);
  const bool is_here = profile.id == machine_id();
  const auto predictions = is_here ? predict_for_commitment(drawn.cells, profile, asked.request.draw.kind)
                                   : std::vector<CommittedPrediction>{};
  for (const Cell& cell : drawn.cells) fmt::print("{}\n", case_text(cell.subject));
  for (const std::string& line : drawn.left_out) tell(fmt::format("not drawn: {}", line));
  const auto coverage = coverage_record(drawn.coverage);
  for (const std::string& line : coverage_by_sort(coverage)) fmt::print("{}\n", line);
  for (const std::string& line : coverage_lines(coverage)) fmt::print("{}\n", line);
  if (!is_here) {
    fmt::print("seed {}: {} cells of {}, which are not measured here\n", asked.request.draw.seed, drawn.cells.size(),
               profile.name);
    return;
  }
  fmt::print("seed {}: {} cells, {} predictions of SHA-256 {}\n", asked.request.draw.seed, drawn.cells.size(),
             predictions.size(), sha256_of_lines(predictions));
}

/// Runs a program. Returns its exit status, or nullopt if it cannot be run.
std::optional<int> run_python(const std::vector<std::string>& words) {
  flush_standard_output();
  try {
    const int status = ChildProcess{python_setup(words)}.wait();
    return WIFEXITED(status) ? std::optional{WEXITSTATUS(status)} : std::nullopt;
  } catch (const std::system_error&) {
    return std::nullopt;
  }
}

/// The Python for commands, if it has the modules that the page needs.
std::optional<std::string> python_of_page() {
  std::optional<std::string> python = find_python();
  if (!python) return std::nullopt;
  const auto missing = missing_packages(*python);
  if (!missing || !missing->empty()) python.reset();
  return python;
}

/// Makes the page, whose path is the last line of the output. True if the records show that the predictions came first.
bool make_page(const fs::path& folder) {
  const std::string script = (checkout_root() / "plots" / "check_validation.py").string();
  const std::vector<std::string> arguments{script,
                                           "--records",
                                           (folder / kValidationFile).string(),
                                           "--profile",
                                           (folder / kValidationProfile).string(),
                                           "--out",
                                           (folder / "page").string()};
  std::optional<int> status;
  if (const auto python = python_of_page()) {
    std::vector<std::string> words{*python};
    words.insert(words.end(), arguments.begin(), arguments.end());
    status = run_python(words);
  }
  if (status && (*status == 0 || *status == 1)) return *status == 0;
  tell(
      fmt::format("no page: `python3 {}` makes it where python3-jinja2, python3-matplotlib and python3-fastjsonschema "
                  "are installed",
                  fmt::join(arguments, " ")));
  return true;
}

void tell_of_commitment(const ValidationResult& result, const Request& asked) {
  fmt::print("seed {}: {} cells, {} predictions {}, committed to by SHA-256 {}\n", asked.request.draw.seed,
             result.cells, result.predictions,
             result.began ? "as the file holds them" : "written before anything is measured", result.commitment);
  for (const std::string& line : result.coverage) fmt::print("{}\n", line);
  flush_standard_output();
}

/// Lets the draw take only cells that sort the files, of the sorts that a model predicts: without values and with
/// values of 4 and 8 bytes, on one thread and on all.
void draw_from_files(ValidationRequest& request, const ValidateOptions& options, const MachineProfile& profile) {
  CaseOptions cases;
  cases.inputs = options.inputs;
  cases.values = {"none", "u32", "u64"};
  std::set<std::string> files;
  for (const bool several : {false, true}) {
    cases.algorithms.clear();
    for (const Algorithm* algorithm : all_algorithms()) {
      const Info& info = algorithm->info();
      const bool on_threads = info.parallel && info.runs_on == Processor::host;
      const bool is_predicted = std::ranges::any_of(
          algorithm_models(info.name), [](const Model* model) { return is_validated(model->info().kind); });
      if (on_threads == several && is_predicted) cases.algorithms.push_back(info.name);
    }
    const auto cpus = static_cast<int>(allowed_cpus().size());
    cases.threads = {"1"};
    if (several && cpus > 1) cases.threads.push_back(fmt::format("{}", cpus));
    for (const Processor processor : {Processor::host, Processor::device, Processor::both}) {
      CaseOptions those = cases;
      std::erase_if(those.algorithms,
                    [&](const std::string& name) { return algorithm_named(name).info().runs_on != processor; });
      if (those.algorithms.empty()) continue;
      those.residency = {std::string{to_name(own_residency(processor))}};
      for (Cell& cell : expand_sweeps(make_sweeps(those, validation_protocol()), Tunings{},
                                      [&](Case& c) { resolve_automatic(c, &profile); })) {
        files.insert(cell.subject.distribution.text);
        request.draw.among.push_back(std::move(cell));
      }
    }
  }
  request.inputs.assign(files.begin(), files.end());
}

int validate_machine(const ValidateOptions& options) {
  Request asked = read(options);
  const fs::path file = asked.folder / kValidationFile;
  if (options.dry_run && options.machine.empty() && !fs::exists(asked.folder / kValidationProfile)) {
    throw BadInput("dry-run: needs a profile to predict from; give --machine");
  }
  if (!options.dry_run) provide_profile(asked, options);
  const fs::path drawn_for =
      options.dry_run && !options.machine.empty() ? profile_file(options.machine) : asked.folder / kValidationProfile;
  const MachineProfile profile = read_profile(drawn_for.string());
  if (options.energy) check_has_energy(profile);
  if (asked.config) {
    asked.request.draw.among =
        expand_sweeps(asked.config->sweeps, Tunings{}, [&](Case& c) { resolve_automatic(c, &profile); });
    std::erase_if(asked.request.draw.among, [](const Cell& cell) { return cell.subject.component != nullptr; });
  }
  if (!options.inputs.empty()) draw_from_files(asked.request, options, profile);
  if (options.dry_run) {
    show_draw(asked, profile);
    return 0;
  }
  StopSignals stop{fmt::format("what {} holds is kept; `{}` resumes", file.string(), going_on(asked, options))};
  // A context of this process on the device would count as sharing it.
  const bool with_device = !profile.devices.empty() && !options.energy;
  const ValidationResult result = validate({.folder = asked.folder,
                                            .asked = asked.request,
                                            .calibrate_again = [&] { return calibrate_again(with_device); },
                                            .stop = &stop},
                                           [&](const ValidationResult& begun) {
                                             tell_of_commitment(begun, asked);
                                             stop.hold();
                                           });
  if (!result.ended) {
    tell(fmt::format("sortlab: stopped by {}: {} cells measured and {} done before are kept in {}; `{}` resumes",
                     signal_name(stop.caught()), result.session.measured, result.done_before, file.string(),
                     going_on(asked, options)));
    return signal_exit_status(stop.caught());
  }
  for (const auto& [of, errors] : result.errors) {
    fmt::print("{}, {} thread{}: errors of {} predictions: {}\n", of.first, of.second, of.second == 1 ? "" : "s",
               errors.size(), error_text(summarise_errors(errors)));
  }
  for (const auto& [of, errors] : result.errors_by_file) {
    fmt::print("{}, {}: errors of {} predictions: {}\n", of.first, printable(of.second), errors.size(),
               error_text(summarise_errors(errors)));
  }
  for (const auto& [algorithm, errors] : result.energy_errors) {
    fmt::print("joules, {}: errors of {} predictions: {}\n", algorithm, errors.size(),
               error_text(summarise_errors(errors)));
  }
  if (asked.request.draw.energy) {
    std::vector<double> all;
    for (const auto& [algorithm, errors] : result.energy_errors) all.insert(all.end(), errors.begin(), errors.end());
    if (!all.empty()) {
      fmt::print("joules, all: errors of {} predictions: {}\n", all.size(), error_text(summarise_errors(all)));
    }
    for (const auto& [reason, cells] : result.without_energy) {
      fmt::print("{} cell{} without joules: {}\n", cells, cells == 1 ? "" : "s", printable(reason));
    }
  }
  if (result.different.empty()) fmt::print("predicting again after measuring, the models say the same\n");
  if (!result.different.empty()) {
    tell(fmt::format("sortlab: {} of {} predictions differ now that the cells are measured, the first of {}",
                     result.different.size(), result.predictions, result.different.front().second));
  }
  if (options.split) {
    for (const std::string& line : split_table(split_errors(
             {.folder = asked.folder, .calibrate_again = sort_timed_again, .stop = &stop, .quiet = false}))) {
      fmt::print("{}\n", line);
    }
  }
  const bool came_first = options.no_page || make_page(asked.folder);
  SessionResult session = result.session;
  if (session.left > 0) {
    tell(fmt::format("the budget ended with {} of {} cells left, which stay unmeasured", session.left, result.cells));
    session.left = 0;  // the same command does not resume them
  }
  const int status = conclude(session);
  return result.different.empty() && came_first ? status : 1;
}

}  // namespace

void add_validate(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = app.add_subcommand(
      "validate", "Calibrates, draws cells, writes their predictions, only then measures, and shows the errors");
  command->footer("Example: sortlab validate --budget 10m");
  command->add_option("--budget", options->budget,
                      "Wall time for everything except calibration and the page: 90s, 5m; default 10m");
  command->add_option("--seed", options->seed, "Seed from which cells are drawn; a new one by default");
  command->add_option("--machine", options->machine,
                      "This machine's profile (`sortlab list machines`); else it is calibrated first. With --dry-run "
                      "also another machine's, for "
                      "which cells are then drawn");
  command->add_flag("--quick", options->quick, "Calibrate as `calibrate --quick` does");
  command->add_option("--algorithm", options->algorithms, "Only this plug-in; may be repeated");
  command->add_option("--kind", options->kind, "Only models of this kind")
      ->check(CLI::IsMember({"component", "hardware"}));
  command->add_option("--config", options->config,
                      "Draw from this config's cells, instead of cells that no config has");
  command->add_option("--input", options->inputs,
                      "Draw cells that sort these files of keys: FILE.npy, with column=NAME after a comma");
  command->add_flag("--energy", options->energy,
                    "Draw sorts on the device alone, meter their joules as well, and show the errors of those");
  command->add_flag("--dry-run", options->dry_run, "Show what would be drawn and predicted; measure nothing");
  command->add_flag("--no-page", options->no_page, "Do not make the page");
  command->add_flag("--split", options->split,
                    "At the end, take the errors of each sort and phase apart: calibrate its tables again and measure "
                    "some of its cells right after; half a minute for each sort");
  command->add_option("--out,-o", options->out,
                      "Folder for records, profile and page, instead of results/local/<machine>/validation/<seed>; one "
                      "that holds them is resumed, or predicted again by this build");
  command->callback([options, &exit_status] { exit_status = validate_machine(*options); });
}

}  // namespace sortlab
