#include <fmt/format.h>

#include <map>
#include <set>

#include "core/printable.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/problem.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/commands/commands.hpp"
#include "harness/count/count_record.hpp"
#include "harness/count/count_table.hpp"
#include "harness/count/counted_sorts.hpp"
#include "harness/count/metrics.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/automatic.hpp"
#include "harness/plan/blocks.hpp"
#include "harness/plan/config.hpp"
#include "harness/record/algorithm_record.hpp"
#include "harness/record/record_appender.hpp"
#include "harness/record/run_record.hpp"
#include "harness/run/session.hpp"
#include "harness/run/signals.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

struct Options {
  CaseOptions cases;
  std::string config;
  std::string filter;
  std::string ncu;
  std::string out;
  int passes = 0;
  bool stalls = false;
  bool json = false;
};

/// What will be counted: cells on CUDA devices. Of others it tells on standard error why not.
std::vector<Cell> countable(std::vector<Cell> cells) {
  std::vector<std::string> reasons;
  const auto why_not = [](const Case& c) -> std::optional<std::string> {
    if (c.algorithm->info().runs_on == Processor::host) {
      return "runs on the host, whose counters come with its measurement";
    }
    if (c.algorithm->info().runs_on == Processor::both)
      return "runs on the host, too; its sort on the device is counted alone";
    if (c.component != nullptr) return "a component; its kernels are counted with the sort's";
    return refusal(c);
  };
  std::erase_if(cells, [&](const Cell& cell) {
    const auto because = why_not(cell.what);
    if (because) reasons.push_back(fmt::format("{}: {}", text_of(cell.what), *because));
    return because.has_value();
  });
  if (cells.empty()) throw BadInput(fmt::format("nothing to count: {}", reasons.front()));
  for (const std::string& reason : reasons) tell(fmt::format("not counted: {}", reason));
  return cells;
}

/// Without those of which `before` holds counts of the same build.
std::vector<Cell> not_counted_in(const std::vector<ordered_json>& before, std::vector<Cell> cells) {
  std::set<std::string> known;
  for (const ordered_json& record : before) {
    if (record.at("kind") == "count" && record.value("status", "") == "ok") known.insert(record.value("key", ""));
  }
  std::erase_if(cells, [&](const Cell& cell) { return known.contains(key_of(cell.what, machine_id())); });
  return cells;
}

int count(const Options& options) {
  if (options.cases.any() == !options.config.empty()) {
    throw BadInput("what to count: give --algorithm or a config, and only one of them");
  }
  std::optional<Config> config;
  if (!options.config.empty()) config = read_config(options.config);
  std::vector<Cell> cells = cells_of(config ? config->sweeps : std::vector{sweep_of(options.cases, Protocol{})});
  if (!options.filter.empty()) cells = matching(std::move(cells), options.filter);
  cells = countable(std::move(cells));
  const Ncu ncu = find_ncu(options.ncu);
  if (ncu.path.empty()) throw NcuFailed(fmt::format("cannot count: {}", ncu.reason));
  if (gpus_here().names.empty()) throw NcuFailed(fmt::format("cannot count: {}", gpus_here().reason));

  std::optional<RecordAppender> out;
  if (!options.out.empty()) {
    out.emplace(options.out);
  } else if (config) {
    out.emplace(local_results(machine_id()) / (config->name + ".counts.jsonl"));
  }
  if (out && !out->repaired().empty()) tell(out->repaired());
  if (out) cells = not_counted_in(out->before(), std::move(cells));
  const StopSignals stop{
      out ? fmt::format("what was counted is kept in {}; `{}` goes on", out->path().string(), command_text())
          : fmt::format("nothing is kept; `{}` begins anew", command_text())};
  const WhatToCount what{.metrics = known_to(ncu, metrics_to_count(options.stalls)), .passes = options.passes};
  const RunIdentity run = new_run();
  if (out && !cells.empty()) {
    out->append(run_record(run, {.command = command_line(),
                                 .config = config ? config->name : "",
                                 .config_digest = config ? config->digest : "",
                                 .filter = options.filter}));
    append_algorithms(*out);
  }
  int exit_status = 0;
  for (const Block& block : blocks_of(std::move(cells))) {
    const std::vector<CellCounts> counts = count_cells(block, ncu, what);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const ordered_json record = count_record(block[i], counts[i], ncu, options.passes, run.id, machine_id());
      if (out) out->append(record);
      if (options.json) {
        fmt::print("{}\n", record.dump());
      } else if (record.at("status") == "ok") {
        fmt::print("{}\n", count_table(block[i].what, counts[i], local_profile()));
      }
      std::fflush(stdout);
      if (record.at("status") != "ok") {
        tell(fmt::format("lost: {}: {}: {}", text_of(block[i].what), counts[i].status, counts[i].reason));
        exit_status = 1;
      }
    }
  }
  return exit_status;
}

}  // namespace

void add_count(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("count", "Counts what GPU sorts do an element, by phase, under NVIDIA's ncu; never timed");
  command->footer("Example: sortlab count --algorithm my_sort --preset tuned --n 2^24");
  add_case_options(*command, options->cases, false);
  command->add_option("config", options->config, "Count the cells of this config, and resume by key");
  command->add_option("--filter", options->filter,
                      "Only cells whose text this regular expression finds; RE2's syntax, up to 1000 bytes");
  command->add_option("--ncu", options->ncu, "The profiler, if it is neither on PATH nor with the CUDA toolkit");
  command->add_option(
      "--out,-o", options->out,
      "Append the records to this file; of a config: instead of results/local/<machine>/<config>.counts.jsonl");
  command
      ->add_option("--passes", options->passes,
                   "Count the first so many passes of each phase only, where they are alike")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--stalls", options->stalls, "Also count what warps wait for (half as long again)");
  command->add_flag("--json", options->json, "One JSON record a line on standard output");
  command->callback([options, &exit_status] { exit_status = count(*options); });
}

void add_counted(CLI::App& app, int& exit_status) {
  struct Files {
    std::string task;
    std::string answers;
    int passes = 0;
  };
  const auto files = std::make_shared<Files>();
  CLI::App* command = app.add_subcommand(kCountedCommand, "The sorts of count, under the profiler");
  command->group("");  // not for users
  command->add_option("task", files->task)->required();
  command->add_option("answers", files->answers)->required();
  command->add_option("passes", files->passes)->required();
  command->callback([files, &exit_status] { exit_status = counted_sorts(files->task, files->answers, files->passes); });
}

}  // namespace sortlab
