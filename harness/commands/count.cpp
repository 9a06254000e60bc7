#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

#include "algorithms/common/host/forgo_avx512.hpp"
#include "core/affinity.hpp"
#include "core/printable.hpp"
#include "core/standard_streams.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/problem.hpp"
#include "harness/commands/case_options.hpp"
#include "harness/commands/commands.hpp"
#include "harness/count/count_record.hpp"
#include "harness/count/count_table.hpp"
#include "harness/count/counted_sorts.hpp"
#include "harness/count/host_tools.hpp"
#include "harness/count/likwid.hpp"
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

struct CountOptions {
  CaseOptions cases;
  std::string config;
  std::string filter;
  std::string ncu;
  std::string valgrind;
  std::string tool;
  std::string out;
  int passes = 0;
  bool stalls = false;
  bool json = false;
};

bool on_host(const Case& c) {
  return c.algorithm->info().runs_on == Processor::host;
}

/// The tool that counts host sorts: the requested one, else callgrind, else the processor's counters. Throws
/// CountingFailed if none works.
std::unique_ptr<CountingTool> host_tool(const CountOptions& options) {
  if (options.tool == "likwid") return std::make_unique<LikwidTool>(likwid_groups(), options.passes);
  std::string reasons;
  const auto lacks = [&](const std::string& why) { reasons += (reasons.empty() ? "" : "; ") + why; };
  if (options.tool != "perf_event") {
    Valgrind valgrind = find_valgrind(options.valgrind);
    if (!valgrind.path.empty()) return std::make_unique<CallgrindTool>(std::move(valgrind), options.passes);
    lacks(valgrind.reason);
  }
  if (options.tool != "callgrind") {
    const std::string why = why_no_instructions();
    if (why.empty()) return std::make_unique<PerfEventTool>(options.passes);
    lacks(why);
  }
  throw CountingFailed(reasons);
}

std::unique_ptr<CountingTool> device_tool(const CountOptions& options) {
  const Ncu ncu = find_ncu(options.ncu);
  if (ncu.path.empty()) throw CountingFailed(ncu.reason);
  if (gpus_here().names.empty()) throw CountingFailed(gpus_here().reason);
  return std::make_unique<NcuTool>(
      ncu, WhatToCount{.metrics = known_metrics(ncu, metrics_to_count(options.stalls)), .passes = options.passes});
}

/// The reason this cell cannot be counted, or nullopt.
std::optional<std::string> why_not(const Case& c, bool by_callgrind) {
  const Info& info = c.algorithm->info();
  if (info.runs_on == Processor::both) return "runs on the host, too; its sort on the device is counted alone";
  if (info.runs_on == Processor::devices) return "runs on several devices; ncu counts kernels of one";
  if (c.component != nullptr) {
    return on_host(c) ? "a component; what it does is counted with the sort"
                      : "a component; its kernels are counted with the sort's";
  }
  if (on_host(c) && c.threads > 1) return "threads wait for each other, and what waits counts too: give --threads 1";
  if (info.times_itself) return "runs in a process of its own, which nothing here counts";
  auto because = refusal(c);
  if (because && by_callgrind && because->starts_with("the processor lacks")) {
    *because += " (callgrind knows no AVX-512)";
  }
  return because;
}

/// Removes the cells that `before` has counts of, by the same build and tool.
std::vector<Cell> not_counted_in(const std::vector<ordered_json>& before, std::vector<Cell> cells,
                                 const CountingTool& tool) {
  std::set<std::string> known;
  for (const ordered_json& record : before) {
    if (record.at("kind") != "count" || record.value("status", "") != "ok") continue;
    if (record.value("tool", ordered_json::object()).value("name", "ncu") != tool.name()) continue;
    known.insert(record.value("key", ""));
  }
  std::erase_if(cells, [&](const Cell& cell) { return known.contains(resume_key(cell.subject, machine_id())); });
  return cells;
}

/// A part of the cells, and the tool that counts them.
struct CountedPart {
  std::unique_ptr<CountingTool> tool;
  std::vector<Cell> cells;
};

bool any_on_host(const std::vector<Sweep>& sweeps) {
  return std::ranges::any_of(sweeps, [](const Sweep& sweep) {
    return std::ranges::any_of(sweep.algorithms, [](const AlgorithmChoice& choice) {
      return choice.algorithm->info().runs_on == Processor::host;
    });
  });
}

/// Divides the cells of `sweeps` by tool: host or device. Leaves out cells whose tool is missing and cells that cannot
/// be counted, with a line about each. Throws if none is left.
std::vector<CountedPart> split_into_parts(const std::vector<Sweep>& sweeps, const CountOptions& options) {
  std::unique_ptr<CountingTool> host;
  std::string why_no_host;
  if (any_on_host(sweeps)) {
    try {
      host = host_tool(options);
    } catch (const CountingFailed& error) {
      why_no_host = error.what();
    }
  }
  const bool by_callgrind = host && host->name() == "callgrind";
  if (by_callgrind) forgo_avx512();  // before any choice by instruction sets
  std::vector<Cell> cells = expand_sweeps(sweeps);
  if (!options.filter.empty()) cells = matching(std::move(cells), options.filter);
  std::vector<std::string> left_out;
  std::erase_if(cells, [&](const Cell& cell) {
    const auto because = why_not(cell.subject, by_callgrind);
    if (because) left_out.push_back(fmt::format("{}: {}", case_text(cell.subject), *because));
    return because.has_value();
  });
  if (cells.empty()) throw BadInput(fmt::format("nothing to count: {}", left_out.front()));
  const auto device_first =
      std::stable_partition(cells.begin(), cells.end(), [](const Cell& cell) { return on_host(cell.subject); });
  std::vector<Cell> on_devices(device_first, cells.end());
  cells.erase(device_first, cells.end());

  std::vector<CountedPart> parts;
  std::vector<std::string> missing;
  if (!cells.empty() && host) {
    parts.push_back({std::move(host), std::move(cells)});
  } else if (!cells.empty()) {
    missing.push_back(why_no_host);
  }
  if (!on_devices.empty()) {
    try {
      parts.push_back({device_tool(options), std::move(on_devices)});
    } catch (const CountingFailed& error) {
      missing.emplace_back(error.what());
    }
  }
  if (parts.empty()) throw CountingFailed(fmt::format("cannot count: {}", fmt::join(missing, "; ")));
  for (const std::string& why : missing) tell(fmt::format("not counted: {}", why));
  for (const std::string& why : left_out) tell(fmt::format("not counted: {}", why));
  return parts;
}

int count(const CountOptions& options) {
  if (options.cases.any() == !options.config.empty()) {
    throw BadInput("what to count: give --algorithm or a config, and only one of them");
  }
  std::optional<Config> config;
  if (!options.config.empty()) config = read_config(options.config);
  std::vector<CountedPart> parts =
      split_into_parts(config ? config->sweeps : make_sweeps(options.cases, Protocol{}), options);

  std::optional<RecordAppender> out;
  if (!options.out.empty()) {
    RecordAppender::refuse_output(options.out);
    out.emplace(options.out);
  } else if (config) {
    out.emplace(local_results(machine_id()) / (config->name + ".counts.jsonl"));
  }
  if (out) std::ranges::for_each(out->notes(), tell);
  bool any = false;
  for (CountedPart& part : parts) {
    if (out) part.cells = not_counted_in(out->before(), std::move(part.cells), *part.tool);
    any = any || !part.cells.empty();
  }
  const std::string kept =
      out ? fmt::format("what was counted is kept in {}; `{}` resumes", out->path().string(), command_text())
          : fmt::format("nothing is kept; `{}` starts over", command_text());
  StopSignals stop{kept};
  stop.hold();  // the tool has temporary files to remove
  const RunIdentity run = new_run();
  if (out && any) {
    out->append(run_record(run, {.command = command_line(),
                                 .config = config ? config->name : "",
                                 .config_digest = config ? config->digest : "",
                                 .filter = options.filter}));
    append_algorithms(*out);
  }
  int exit_status = 0;
  for (CountedPart& part : parts) {
    const ordered_json tool = part.tool->description();
    for (const Block& block : group_into_blocks(std::move(part.cells))) {
      const std::vector<CellCounts> counts = count_cells(block, *part.tool, [&] { return stop.caught() != 0; });
      for (std::size_t i = 0; i < counts.size(); ++i) {
        const ordered_json record = count_record(block[i], counts[i], tool, options.passes, run.id, machine_id());
        if (out) out->append(record);
        if (options.json) {
          print_now(record_line(record) + '\n');
        } else if (counts[i].status == Status::ok) {
          print_now(count_table(block[i].subject, counts[i], local_profile()) + '\n');
        }
        if (!out && lost_output()) return 1;  // nobody gets what is counted
        if (counts[i].status != Status::ok) {
          tell(fmt::format("lost: {}: {}: {}", case_text(block[i].subject), to_name(counts[i].status),
                           counts[i].reason));
          exit_status = 1;
        }
      }
      if (stop.caught() == 0) continue;
      if (out) out->check_alone();
      tell(fmt::format("sortlab: stopped by {}: {}", signal_name(stop.caught()), kept));
      return signal_exit_status(stop.caught());
    }
  }
  if (out) out->check_alone();
  return exit_status;
}

}  // namespace

void add_count(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<CountOptions>();
  CLI::App* command = app.add_subcommand(
      "count",
      "Counts the operations of sorts per element and phase: on a GPU by NVIDIA's ncu, on the host by valgrind "
      "or the processor's counters; never timed");
  command->footer("Example: sortlab count --algorithm my_sort --preset tuned --n 2^24");
  add_case_options(*command, options->cases, false);
  command->add_option("config", options->config, "Count the cells of this config, and resume by key");
  command->add_option("--filter", options->filter,
                      "Only cells whose text this regular expression finds; RE2's syntax, up to 1000 bytes");
  command->add_option("--ncu", options->ncu, "The profiler, if it is neither on PATH nor with the CUDA toolkit");
  command->add_option("--valgrind", options->valgrind, "Valgrind, if it is not on PATH");
  command
      ->add_option("--tool", options->tool,
                   "The tool for host sorts: callgrind (valgrind's; instructions up to AVX2), perf_event (the "
                   "processor's counters), or likwid (misses, and bytes by cache level); default: callgrind, else "
                   "perf_event")
      ->check(CLI::IsMember({"callgrind", "perf_event", "likwid"}));
  command->add_option(
      "--out,-o", options->out,
      "Append the records to this file; of a config: instead of results/local/<machine>/<config>.counts.jsonl");
  command
      ->add_option("--passes", options->passes,
                   "Count only this many passes of each phase, the first ones; for sorts whose passes are alike")
      ->check(CLI::Range(1, 1000));
  command->add_flag("--stalls", options->stalls, "Also count what warps wait for (takes half as long again)");
  command->add_flag("--json", options->json, "One JSON record per line on standard output");
  command->callback([options, &exit_status] { exit_status = count(*options); });
}

void add_counted(CLI::App& app, int& exit_status) {
  struct Files {
    std::string task;
    std::string answers;
    int passes = 0;
    bool counters = false;
    std::string group;
  };
  const auto files = std::make_shared<Files>();
  CLI::App* command = app.add_subcommand(kCountedCommand, "The sorts of count, under the profiler");
  command->group("");  // internal
  command->add_option("task", files->task)->required();
  command->add_option("answers", files->answers)->required();
  command->add_option("passes", files->passes)->required();
  command->add_flag(kWithCounters, files->counters);
  command->add_option(kWithLikwid, files->group);
  command->callback([files, &exit_status] {
    CounterChoice choice;
    if (files->counters) choice = choose_counters({operations_source()});
    if (!files->group.empty()) {
      const int counted = allowed_cpus().front();  // the processor on which likwid counts
      if (!pin_to({counted})) {
        throw BadInput(
            fmt::format("tool: the system does not bind this process to processor {}; allowed: callgrind", counted));
      }
      choice =
          choose_counters({likwid_source(allowed_cpus(), std::chrono::seconds{10}, likwid_library(), files->group)});
      if (choice.counters == nullptr) throw BadInput(choice.reason);
    }
    exit_status = counted_sorts(files->task, files->answers, files->passes, std::move(choice.counters));
  });
}

}  // namespace sortlab
