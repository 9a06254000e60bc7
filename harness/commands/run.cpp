#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "core/printable.hpp"
#include "core/standard_streams.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/commands/commands.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/loaded_libraries.hpp"
#include "harness/machine/machine.hpp"
#include "harness/measure/turnstile.hpp"
#include "harness/plan/automatic.hpp"
#include "harness/plan/blocks.hpp"
#include "harness/plan/config.hpp"
#include "harness/plan/estimate.hpp"
#include "harness/plan/resume.hpp"
#include "harness/plan/shard.hpp"
#include "harness/plan/work.hpp"
#include "harness/record/record_reader.hpp"
#include "harness/run/duration.hpp"
#include "harness/run/session.hpp"
#include "harness/run/signals.hpp"
#include "harness/run/worker.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

struct RunOptions {
  std::string config;
  std::string shard{"1/1"};
  std::string filter;
  std::string out;
  std::string time_budget;
  std::string grace;
  bool dry_run = false;
  Repeats repeats;
  bool wait_for_quiet = false;
  bool json = false;
  std::string interleaved;  ///< "SIDE:FILE" of a turnstile
  int samples = 100;        ///< with `interleaved`: samples of each cell
  int processes = 5;        ///< with `interleaved`: workers that take them
};

/// Makes the cells take their samples in turn with another program's.
void interleave(std::vector<Cell>& cells, const RunOptions& options) {
  setenv(kTurnstileVariable, options.interleaved.c_str(), 1);
  static_cast<void>(Turnstile::from_environment());  // says what is wrong with it
  constexpr double least_budget_s = 4;
  for (Cell& cell : cells) {
    cell.protocol.processes = options.processes;
    cell.protocol.samples = options.samples;
    cell.protocol.budget_s = std::max(cell.protocol.budget_s, least_budget_s);
    cell.protocol.energy = false;  // the other program would draw power beside it
    cell.protocol.interleaved = std::filesystem::path{options.interleaved}.parent_path().filename();
  }
}

/// Says of which shared libraries earlier runs in the file, on this machine, had other builds loaded: their cells are
/// not measured again.
void tell_of_libraries(const RecordAppender& out) {
  const std::map<std::string, std::string> here = loaded_libraries();
  std::set<std::string> others;
  for (const ordered_json& record : out.before()) {
    const ordered_json::json_pointer place{"/environment/libraries"};
    if (record["kind"] != "run" || record["machine"]["id"] != machine_id() || !record.contains(place)) continue;
    others.merge(different_libraries(record[place].get<std::map<std::string, std::string>>(), here));
  }
  if (others.empty()) return;
  tell(fmt::format("out: {}: holds cells that were measured with other builds of {}", out.path().string(),
                   join({others.begin(), others.end()})));
}

void show_plan(const Selection& selection, bool json) {
  std::vector<Cell> cells;
  for (const Block& block : selection.to_run) cells.insert(cells.end(), block.begin(), block.end());
  const std::vector<double> seconds = estimate_seconds(cells, local_profile());
  const auto show = [&](const Cell& cell, std::string_view state, double estimate_s,
                        const std::optional<Reason>& reason) {
    if (json) {
      fmt::print("{}\n", ordered_json{{"cell", cell_id(cell.subject)},
                                      {"key", resume_key(cell.subject, machine_id())},
                                      {"case", to_json(cell.subject)},
                                      {"state", state},
                                      {"estimate_s", estimate_s},
                                      {"reason", reason ? ordered_json(reason->text) : ordered_json()},
                                      {"reason_code", reason ? ordered_json(to_name(reason->code)) : ordered_json()}}
                             .dump());
    } else {
      fmt::print("{:<5} {}{}{}\n", state, case_text(cell.subject), reason ? ": " : "",
                 reason ? printable(reason->text) : "");
    }
  };
  for (const auto& [cell, record] : selection.done) show(cell, "done", 0, std::nullopt);
  double total = 0;
  std::size_t to_measure = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto reason = reason_to_skip(cells[i]);
    show(cells[i], reason ? "skip" : "run", reason ? 0 : seconds[i], reason);
    total += reason ? 0 : seconds[i];
    to_measure += reason ? 0 : 1;
  }
  if (!json) {
    fmt::print("{} cells: {} done, {} to skip, {} to run, in about {}\n", selection.done.size() + cells.size(),
               selection.done.size(), cells.size() - to_measure, to_measure, duration_text(total));
  }
}

int run(const RunOptions& options) {
  const Config config = read_config(options.config);
  const Shard shard = parse_shard(options.shard);
  SessionOptions session;
  if (!options.time_budget.empty()) session.supervisor.time_budget_s = parse_duration(options.time_budget);
  if (!options.grace.empty()) session.supervisor.grace_s = parse_duration(options.grace, "grace");
  const std::filesystem::path path =
      options.out.empty() ? local_results(machine_id()) / (config.name + ".jsonl") : std::filesystem::path{options.out};
  std::optional<StopSignals> stop;
  if (!options.dry_run) {
    stop.emplace(
        fmt::format("nothing is measured yet, and what {} holds is kept; `{}` resumes", path.string(), command_text()));
  }
  std::vector<Cell> cells = expand_sweeps(config.sweeps);
  if (!options.filter.empty()) cells = matching(std::move(cells), options.filter);
  if (!options.interleaved.empty()) interleave(cells, options);
  std::vector<Block> blocks = group_into_blocks(std::move(cells));
  if (shard.count > 1) blocks = select_shard(std::move(blocks), planned_blocks(config.sweeps), shard);

  if (options.dry_run) {
    // A pipe and a device (/dev/null) hold no records to resume from.
    const bool keeps_nothing = std::filesystem::is_fifo(path) || std::filesystem::is_character_file(path);
    const std::vector<ordered_json> before =
        std::filesystem::exists(path) && !keeps_nothing ? read_records(path).records : std::vector<ordered_json>{};
    show_plan(resume(blocks, before, options.repeats), options.json);
    return 0;
  }
  RecordAppender out(path);
  std::ranges::for_each(out.notes(), tell);
  tell_of_libraries(out);
  const Selection selection = resume(blocks, out.before(), options.repeats);
  session.out = &out;
  session.supervisor.wait_for_quiet = options.wait_for_quiet;
  if (options.json) session.recorded = [](const ordered_json& record) { print_now(record_line(record) + '\n'); };
  const Work work = plan_work(selection.to_run);
  stop->hold();
  session.supervisor.stop = &*stop;
  SessionResult result = run_session(work,
                                     {.command = command_line(),
                                      .config = config.name,
                                      .config_digest = config.digest,
                                      .filter = options.filter,
                                      .shard = shard_text(shard)},
                                     session);
  if (stop->caught() != 0 && result.left > 0) {
    tell(fmt::format(
        "sortlab: stopped by {}: {} cells measured and {} done before are kept in {}, {} are left; `{}` resumes",
        signal_name(stop->caught()), result.measured, selection.done.size(), path.string(), result.left,
        command_text()));
    return signal_exit_status(stop->caught());
  }
  for (const auto& [cell, record] : selection.done) {
    if (const auto measurement = measured_in(*record)) note(result, *measurement, case_text(cell.subject));
  }
  tell(
      fmt::format("{}: {} cells measured, {} done before, {} skipped, {} failed as expected, {} without result; "
                  "records in {}",
                  config.name, result.measured, selection.done.size(), result.skipped.size(), result.expected.size(),
                  result.lost.size(), path.string()));
  return conclude(result);
}

}  // namespace

void add_run(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Measures the cells of a config, appends records, resumes by key");
  command->footer("Example: sortlab run configs/quick.json --filter 'my_sort .*n=1048576' --time-budget 5m");
  command->add_option("config", options->config, "A config file (`sortlab list configs`)")->required();
  command->add_option("--shard", options->shard, "Shard i of n of the config, from 1: 2/8");
  command->add_option(
      "--filter", options->filter,
      "Only cells whose text (see --dry-run) this regular expression finds; RE2's syntax, up to 1000 bytes");
  command->add_option("--out,-o", options->out, "File to append to, instead of results/local/<machine>/<config>.jsonl");
  command->add_option("--time-budget", options->time_budget,
                      "Stop after this time: 90s, 5m, 2h; the same command resumes");
  command->add_option("--grace", options->grace,
                      "After a first signal that asks to end (SIGTERM, SIGINT, SIGUSR1, SIGXCPU …) let the cells "
                      "on the input at hand end, for this time at most; a second one ends the run at once");
  command->add_flag("--dry-run", options->dry_run, "Show what would run, and how long it would take");
  command->add_flag("--wait-for-quiet", options->wait_for_quiet,
                    "Before each sample wait until other programs leave its processors free, up to an hour in all");
  command->add_flag("--retry", options->repeats.retry, "Measure wrong, failed, crashed and timed-out cells again");
  command
      ->add_option("--again", options->repeats.again,
                   "Measure again, at most so often, all sorts of an input of which one was disturbed or is not "
                   "measured yet")
      ->check(CLI::Range(0, 100));
  command->add_flag("--json", options->json, "One JSON object per line on standard output");
  command->add_option("--interleaved", options->interleaved)->group("");  // these three are used by `compare`
  command->add_option("--interleaved-samples", options->samples)->group("");
  command->add_option("--interleaved-processes", options->processes)->group("");
  command->callback([options, &exit_status] { exit_status = run(*options); });
}

void add_worker(CLI::App& app, int& exit_status) {
  CLI::App* command = app.add_subcommand(kWorkerCommand, "A worker process of run and bench");
  command->group("");  // internal
  command->callback([&exit_status] { exit_status = worker_main(); });
}

}  // namespace sortlab
