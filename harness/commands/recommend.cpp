// `sortlab recommend`: which sort is the fastest on a user's own keys.
//
// All sorts that take the keys run on a part of them, the best few of these on all keys. Models, where a sort has one,
// say the time beside, and for another machine alone.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/affinity.hpp"
#include "core/printable.hpp"
#include "core/standard_streams.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/parse.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/commands/commands.hpp"
#include "harness/commands/predict_cases.hpp"
#include "harness/plan/automatic.hpp"
#include "harness/plan/blocks.hpp"
#include "harness/plan/work.hpp"
#include "harness/predict/predictor.hpp"
#include "harness/run/duration.hpp"
#include "harness/run/session.hpp"
#include "harness/run/signals.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kTrialKeys = std::uint64_t{1} << 18;  ///< keys of the part that all sorts are tried on
constexpr double kTrialShare = 0.4;                           ///< share of the budget for these trials
constexpr double kClose = 2;  ///< times the shortest trial up to which a sort is measured on all keys
constexpr std::size_t kFinalists = 5;

struct RecommendOptions {
  std::string file;
  std::string column;
  std::string key;
  std::string value{"none"};
  std::string budget{"30s"};
  std::string machine;
  int threads = 0;  ///< 0: all allowed processors
  bool stable = false;
  bool json = false;
};

/// Best known time of a sort on all keys of the file.
struct Expected {
  Cell cell;  ///< on all keys
  double seconds = 0;
  std::array<double, 2> interval{};  ///< 95 % interval of the run, if measured on all keys
  bool is_whole = false;             ///< measured on all keys, not scaled from a part
};

CaseOptions case_options(const RecommendOptions& options, const std::vector<std::string>& algorithms) {
  CaseOptions cases;
  cases.algorithms = algorithms;
  cases.inputs = {options.column.empty() ? options.file
                                         : fmt::format("{},column={}", options.file, escaped_text(options.column))};
  if (!options.key.empty()) cases.keys = {options.key};
  cases.values = {options.value};
  return cases;
}

int given_threads(const RecommendOptions& options) {
  return options.threads > 0 ? options.threads : static_cast<int>(allowed_cpus().size());
}

/// The cells of all sorts on all keys: on one thread, and those that can use several on all of them, too.
std::vector<Cell> whole_cells(const RecommendOptions& options, const Protocol& protocol) {
  std::vector<Cell> cells;
  for (const bool parallel : {false, true}) {
    std::vector<std::string> names;
    for (const Algorithm* algorithm : all_algorithms()) {
      const Info& info = algorithm->info();
      if (info.parallel == parallel && info.runs_on == Processor::host) names.push_back(info.name);
    }
    if (names.empty()) continue;
    CaseOptions cases = case_options(options, names);
    cases.threads = {"1"};  // one thread may be faster than several, on few keys
    const int threads = given_threads(options);
    if (parallel && threads > 1) cases.threads.push_back(fmt::format("{}", threads));
    std::ranges::move(expand_sweeps(make_sweeps(cases, protocol)), std::back_inserter(cells));
  }
  return cells;
}

/// The time that a component or hardware model predicts here, with the model's name.
std::optional<std::pair<double, std::string>> predicted_here(const Case& c, Views& views) {
  const MachineProfile* const here = local_profile();
  const MachineProfile* const profile = here == nullptr ? nullptr : runs_on(c, *here);
  if (profile == nullptr) return std::nullopt;
  for (const Model* model : algorithm_models(c.algorithm->info().name)) {
    const ModelKind kind = model->info().kind;
    if (kind != ModelKind::component && kind != ModelKind::hardware) continue;
    try {
      const double seconds = checked_prediction(*model, make_workload(c), views.of(c), *profile).seconds;
      return std::pair{seconds, std::string{to_name(kind)}};
    } catch (const std::exception&) {  // a quantity is missing, or the model declines
      continue;
    }
  }
  return std::nullopt;
}

/// Names of the sorts that are left out, by reason.
using Excluded = std::map<std::string, std::vector<std::string>>;

/// Runs cells and gives the measurement of each that has a time to `done`. False if a signal ended the run.
template <class Done>
bool run_cells(const std::vector<Cell>& cells, double budget_s, const StopSignals& stop, Excluded& excluded,
               const Done& done) {
  SessionOptions session{.quiet = true, .supervisor = {.time_budget_s = budget_s, .stop = &stop}};
  session.measured = [&](const Cell& cell, const Measured& m) {
    if (m.status == Status::ok) {
      done(cell, m);
    } else {
      const std::string& name = cell.subject.algorithm->info().name;
      excluded[fmt::format("{}: {}", to_name(m.status), printable(m.reason))].push_back(name);
    }
  };
  run_session(plan_work(group_into_blocks(cells)), {.command = command_line()}, session);
  return stop.caught() == 0;
}

/// Sorts of the file's part, scaled to all its keys: linear, since the sorts that stay are near each other.
std::vector<Expected> try_all(const std::vector<Cell>& whole, double budget_s, const StopSignals& stop,
                              Excluded& excluded) {
  std::vector<Cell> trials;
  std::map<std::string, Cell> whole_by_trial;
  for (const Cell& cell : whole) {
    Cell trial = cell;
    trial.subject.n = std::min(cell.subject.n, kTrialKeys);
    trial.protocol.processes = 1;
    trial.protocol.min_samples = 2;
    trial.protocol.max_samples = 3;
    trial.protocol.timeout_s = 5;
    trial.protocol.same_input = trial.subject.n == cell.subject.n && cell.protocol.same_input;
    if (trial.subject.n < cell.subject.n) {
      // Spread over the whole file, so that no place of it stands for the others.
      trial.subject.distribution.parameters.set("sample", std::string{"yes"});
      trial.subject.distribution = canonical(trial.subject.distribution, trial.subject.key, trial.subject.n);
    }
    whole_by_trial.emplace(cell_id(trial.subject), cell);
    trials.push_back(std::move(trial));
  }
  std::vector<Expected> found;
  run_cells(trials, budget_s, stop, excluded, [&](const Cell& cell, const Measured& m) {
    const Cell& of_all = whole_by_trial.at(cell_id(cell.subject));
    const double scale =
        cell.subject.n == 0 ? 1 : static_cast<double>(of_all.subject.n) / static_cast<double>(cell.subject.n);
    found.push_back({.cell = of_all, .seconds = m.median_s * scale});
  });
  std::ranges::sort(found, {}, &Expected::seconds);
  return found;
}

void measure_best(std::vector<Expected>& found, double budget_s, const StopSignals& stop, Excluded& excluded) {
  std::vector<Cell> finalists;
  for (const Expected& one : found) {
    if (finalists.size() < kFinalists && one.seconds <= kClose * found.front().seconds) finalists.push_back(one.cell);
  }
  for (Cell& cell : finalists) cell.protocol.budget_s = budget_s / static_cast<double>(finalists.size());
  run_cells(finalists, budget_s, stop, excluded, [&](const Cell& cell, const Measured& m) {
    for (Expected& one : found) {
      const Case& c = one.cell.subject;
      if (c.algorithm != cell.subject.algorithm || c.threads != cell.subject.threads) continue;
      one = {.cell = cell, .seconds = m.median_s, .interval = m.ci95_s, .is_whole = true};
    }
  });
  std::ranges::sort(found, [](const Expected& a, const Expected& b) {
    return std::tuple{!a.is_whole, a.seconds} < std::tuple{!b.is_whole, b.seconds};
  });
}

ordered_json to_json(const std::vector<Expected>& found, Views& views) {
  ordered_json list = ordered_json::array();
  for (const Expected& one : found) {
    const auto predicted = predicted_here(one.cell.subject, views);
    list.push_back({{"algorithm", one.cell.subject.algorithm->info().name},
                    {"threads", one.cell.subject.threads},
                    {"seconds", one.seconds},
                    {"ci95_s", one.is_whole ? ordered_json(one.interval) : ordered_json()},
                    {"from", one.is_whole ? "measured" : "scaled from a part"},
                    {"predicted_s", predicted ? ordered_json(predicted->first) : ordered_json()},
                    {"model_kind", predicted ? ordered_json(predicted->second) : ordered_json()}});
  }
  return list;
}

void print_sorts(const std::vector<Expected>& found, Views& views) {
  std::vector<std::vector<std::string>> rows;
  constexpr std::size_t shown = 12;
  for (const Expected& one : found) {
    if (rows.size() == shown) break;
    const auto predicted = predicted_here(one.cell.subject, views);
    rows.push_back({fmt::format("{}", rows.size() + 1), one.cell.subject.algorithm->info().name,
                    fmt::format("{}", one.cell.subject.threads), duration_text(one.seconds),
                    one.is_whole
                        ? fmt::format("{} to {}", duration_text(one.interval[0]), duration_text(one.interval[1]))
                        : "scaled from a part",
                    fmt::format("{:.2f}", one.seconds / found.front().seconds),
                    predicted ? fmt::format("{} ({})", duration_text(predicted->first), predicted->second) : "-"});
  }
  print_now(table({"", "sort", "threads", "time", "95 % interval", "of the first", "predicted"}, rows));
}

void print_excluded(const Excluded& excluded) {
  for (const auto& [reason, names] : excluded) print_now(fmt::format("left out: {}: {}\n", join(names), reason));
}

/// Prints the times that models predict for another machine, its copies from and to the host included. An interval is
/// not known.
void print_elsewhere(const RecommendOptions& options) {
  const MachineProfile machine = profile_named(options.machine);
  Predictor predictor{machine, std::nullopt, {}};
  std::vector<std::tuple<double, std::string, std::string>> answers;
  for (const Algorithm* algorithm : all_algorithms()) {
    CaseOptions cases = case_options(options, {algorithm->info().name});
    cases.residency = {algorithm->info().runs_on == Processor::host ? "host" : "end_to_end"};
    const bool several = algorithm->info().parallel && options.threads > 1;
    cases.threads = {fmt::format("{}", several ? options.threads : 1)};
    for (const Case& c : cases_on(machine, cases, "").cases) {
      for (const Predictor::Answer& answer : predictor.of(c)) {
        const ModelKind kind = answer.model->info().kind;
        if (kind != ModelKind::component && kind != ModelKind::hardware) continue;
        answers.emplace_back(answer.record["seconds"].get<double>(), algorithm->info().name, to_name(kind));
      }
    }
  }
  if (answers.empty()) {
    print_now(fmt::format("On {}: no model predicts a sort of these keys\n", printable(machine.name)));
    return;
  }
  std::ranges::sort(answers);
  constexpr std::size_t shown = 5;
  if (answers.size() > shown) answers.resize(shown);
  print_now(fmt::format("On {}, from models alone, for keys in the host's memory:\n", printable(machine.name)));
  for (const auto& [seconds, name, kind] : answers) {
    print_now(fmt::format("  {:<28} {:>10}  ({})\n", name, duration_text(seconds), kind));
  }
}

std::string sentence(const std::vector<Expected>& found) {
  const Expected& best = found.front();
  const Case& c = best.cell.subject;
  const auto usual = std::ranges::find_if(
      found, [](const Expected& one) { return one.cell.subject.algorithm->info().name == "std_sort"; });
  std::string text =
      fmt::format("On this machine, {} sorts the {} keys of {} fastest: in {}", c.algorithm->info().name, c.n,
                  printable(unescaped_text(c.distribution.parameters.word("name"))), duration_text(best.seconds));
  if (c.threads > 1) text += fmt::format(" on {} threads", c.threads);
  if (usual != found.end() && usual->cell.subject.algorithm != c.algorithm) {
    text += fmt::format(", {:.2g} times as fast as std::sort", usual->seconds / best.seconds);
  }
  for (const Expected& next : found) {
    const bool overlaps = next.is_whole && best.is_whole && next.interval[0] <= best.interval[1];
    if (next.cell.subject.algorithm != c.algorithm && overlaps) {
      text += fmt::format("; {} may be as fast", next.cell.subject.algorithm->info().name);
      break;
    }
  }
  return text + ".\n";
}

int recommend(const RecommendOptions& options) {
  const double budget_s = parse_duration(options.budget, "budget");
  const auto begin = Clock::now();
  Excluded excluded;
  std::vector<Cell> candidates;
  for (Cell& cell : whole_cells(options, Protocol{})) {
    const Algorithm& algorithm = *cell.subject.algorithm;
    if (options.stable && !algorithm.stable(cell.subject.parameters)) {
      excluded["is not stable"].push_back(algorithm.info().name);
    } else if (auto reason = reason_to_skip(cell)) {
      const bool is_absent = reason->text.starts_with("not in this build");
      const std::string why = is_absent ? "not in this build; `sortlab doctor` says how to add them" : reason->text;
      std::vector<std::string>& names = excluded[why];
      if (names.empty() || names.back() != algorithm.info().name) names.push_back(algorithm.info().name);
    } else {
      candidates.push_back(std::move(cell));
    }
  }
  if (candidates.empty()) {
    const std::string why = excluded.empty() ? "there is none" : excluded.begin()->first;
    throw BadInput(fmt::format("no sort takes these keys: {}", why));
  }
  StopSignals stop{fmt::format("nothing is kept; `{}` starts over", command_text())};
  stop.hold();
  std::vector<Expected> found = try_all(candidates, kTrialShare * budget_s, stop, excluded);
  const double spent_s = std::chrono::duration<double>(Clock::now() - begin).count();
  if (stop.caught() == 0 && !found.empty()) measure_best(found, std::max(1.0, budget_s - spent_s), stop, excluded);
  if (stop.caught() != 0) {
    tell(fmt::format("sortlab: stopped by {}; nothing is kept", signal_name(stop.caught())));
    return signal_exit_status(stop.caught());
  }
  if (found.empty()) throw BadInput("budget: no sort ended within it; --budget gives more");
  Views views;
  if (options.json) {
    print_now(ordered_json{{"kind", "recommendation"},
                           {"input", found.front().cell.subject.distribution.text},
                           {"key_type", to_name(found.front().cell.subject.key)},
                           {"n", found.front().cell.subject.n},
                           {"sorts", to_json(found, views)},
                           {"left_out", excluded}}
                  .dump() +
              '\n');
    return 0;
  }
  print_sorts(found, views);
  print_excluded(excluded);
  if (!options.machine.empty()) print_elsewhere(options);
  print_now(sentence(found));
  return 0;
}

}  // namespace

void add_recommend(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<RecommendOptions>();
  CLI::App* command = app.add_subcommand("recommend", "Finds the fastest sort for a file of your own keys");
  command->footer("Example: sortlab recommend keys.npy --value u64 --stable --budget 30s");
  command->add_option("file", options->file, "A .npy file, or raw little-endian keys with --key")->required();
  command->add_option("--column", options->column, "The field of a structured .npy file");
  command->add_option("--key,-k", options->key, "Key type of a file of raw keys");
  command->add_option("--value,-v", options->value, "Value type: " + join(all_names<ValueType>()))
      ->capture_default_str();
  command->add_option("--threads,-t", options->threads, "Threads of the sorts that can use several; default: all")
      ->check(CLI::Range(1, kMaxThreads));
  command->add_flag("--stable", options->stable, "Stable sorts only");
  command->add_option("--budget", options->budget, "Wall time for measuring: 90s, 5m")->capture_default_str();
  command->add_option("--machine", options->machine,
                      "Also predict for this machine: a profile's file, or a machine of models/machines");
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->callback([options, &exit_status] { exit_status = recommend(*options); });
}

}  // namespace sortlab
