#include "harness/tune/tune.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/printable.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/commands/commands.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/plan/work.hpp"
#include "harness/run/duration.hpp"
#include "harness/run/signals.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

struct TuneOptions {
  CaseOptions cases;
  std::vector<std::string> vary;
  std::string budget{"2m"};
  std::string out;
};

/// The starting case of each sweep: the plug-in's default setting, with the values of --param.
std::vector<Case> starting_cases(const TuneOptions& options) {
  if (!options.cases.components.empty()) throw BadInput("component: tune times whole sorts, for their preset tuned");
  std::vector<Sweep> sweeps = make_sweeps(options.cases, {});
  if (sweeps.front().algorithms.size() != options.cases.algorithms.size()) {
    throw BadInput("param: one value each; --vary names the parameters to try");
  }
  for (Sweep& sweep : sweeps) {
    for (AlgorithmChoice& choice : sweep.algorithms) {
      const auto& presets = choice.algorithm->info().presets;
      const bool has_tuned = std::ranges::any_of(presets, [](const auto& p) { return p.first == kTunedPreset; });
      if (choice.preset.empty() && has_tuned) choice.preset = kTunedPreset;
    }
  }
  std::vector<Case> starts;
  for (Cell& cell : expand_sweeps(sweeps, Tunings{})) starts.push_back(std::move(cell.subject));
  return starts;
}

std::string differing(const Case& c, const Case& start) {
  std::string text;
  for (const auto& [name, value] : c.parameters.all()) {
    if (start.parameters.all().at(name) == value) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, to_text(value));
  }
  return text.empty() ? "as compiled" : text;
}

std::vector<std::string> row(const MeasuredSetting& setting, const Case& start, const Tuning& tuning) {
  const TimedSetting& time = setting.time;
  const double half_width = (time.ci95_s[1] - time.ci95_s[0]) / 2 / time.median_s;
  return {setting.subject.parameters == tuning.subject.parameters ? "chosen" : "",
          differing(setting.subject, start),
          duration_text(time.median_s),
          fmt::format("{:.1f}", 100 * half_width),
          fmt::format("{:.3f}", time.median_s / tuning.compiled.median_s),
          fmt::format("{}", setting.samples)};
}

void print_outcome(const SweepOutcome& outcome, const Case& start, const Tuning& tuning) {
  fmt::print("{}: {} settings measured, {} declined\n", case_text(tuning.subject), tuning.settings, tuning.declined);
  std::vector<std::vector<std::string>> rows;
  for (const MeasuredSetting& setting : outcome.finalists) rows.push_back(row(setting, start, tuning));
  if (!outcome.others.empty()) {
    rows.push_back(row(outcome.others.back(), start, tuning));
    rows.back().front() = "worst";
  }
  fmt::print("{}", table({"", "setting", "median", "+-%", "of compiled", "samples"}, rows));
}

int tune(const TuneOptions& options) {
  const std::vector<Case> starts = starting_cases(options);
  const double budget_s = parse_duration(options.budget, "budget");
  for (const Case& start : starts) make_settings(start, options.vary);  // reports errors before anything is written
  const std::filesystem::path folder =
      options.out.empty() ? local_results(machine_id()) : std::filesystem::path{options.out};
  const Tunings unharmed{folder / "tuned.json"};  // reports a damaged file before anything is measured
  const StopSignals stop{
      fmt::format("what was measured is kept in {}; `{}` resumes", (folder / "tune.jsonl").string(), command_text())};
  SessionResult all;
  for (const Case& start : starts) {
    if (const auto reason = reason_to_skip({start, {}})) {
      all.skipped.push_back(fmt::format("{}: {}", case_text(start), reason->text));
      continue;
    }
    RecordAppender records(folder / "tune.jsonl");
    std::ranges::for_each(records.notes(), tell);
    SweepOutcome outcome = sweep_parameters(
        start, options.vary, {.records = &records, .budget_s = budget_s / static_cast<double>(starts.size())});
    if (const auto tuning = choose_tuning(start, outcome); tuning) {
      print_outcome(outcome, start, *tuning);
      Tunings tunings{folder / "tuned.json"};
      tunings.keep(*tuning);
    } else {
      fmt::print("{}: nothing is chosen: {}\n", case_text(start),
                 outcome.complete ? "the compiled setting gave no result" : "the budget ended first");
    }
    all.left += outcome.session.left;
    all.expected.insert(all.expected.end(), outcome.session.expected.begin(), outcome.session.expected.end());
    all.lost.insert(all.lost.end(), outcome.session.lost.begin(), outcome.session.lost.end());
  }
  return conclude(all);
}

}  // namespace

void add_tune(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<TuneOptions>();
  CLI::App* command =
      app.add_subcommand("tune", "Sweeps an algorithm's parameters and keeps the best for this machine");
  command->footer("Example: sortlab tune --algorithm my_sort --n 2^26 --vary items,warps --budget 1m");
  add_case_options(*command, options->cases, true);
  command
      ->add_option("--vary", options->vary,
                   "Parameters to vary (default: all); the others stay as in the plug-in's `tuned`")
      ->delimiter(',');
  command->add_option("--budget", options->budget, "Wall time for all sweeps: 90s, 5m; the same command resumes")
      ->capture_default_str();
  command->add_option("--out,-o", options->out,
                      "Folder for tune.jsonl and tuned.json, instead of results/local/<machine>");
  command->callback([options, &exit_status] { exit_status = tune(*options); });
}

}  // namespace sortlab
