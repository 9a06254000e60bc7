#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/affinity.hpp"
#include "core/bad_input.hpp"
#include "core/printable.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/commands/commands.hpp"
#include "harness/measure/faults.hpp"
#include "harness/plan/blocks.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/plan/work.hpp"
#include "harness/run/duration.hpp"
#include "harness/run/supervisor.hpp"

namespace sortlab {
namespace {

/// The faults as rows of a Markdown table.
void print_faults() {
  fmt::print("| fault | how it is found | the record says |\n|---|---|---|\n");
  const auto row = [](const Fault& fault) {
    fmt::print("| {} | {} | {}{} |\n", fault.name, fault.found_by, fault.record,
               fault.code ? fmt::format(", `{}`", to_name(*fault.code)) : "");
  };
  std::ranges::for_each(kFaults, row);
  std::ranges::for_each(kObservations, row);
}

/// Sizes around those at which the harness or a sort changes its ways: batches, priming, pages, caches.
constexpr std::array<std::uint64_t, 7> kSizes{0, 1, 2, 1000, 4097, (1 << 17) + 1, 1 << 20};
/// Sizes at which presets and further layouts are tried, too: fewer, so that the time suffices for all.
constexpr std::array<std::uint64_t, 3> kPresetSizes{0, 4097, (1 << 17) + 1};

/// The sort as it is without parameters at many sizes, then with each preset and in each layout at some.
std::vector<Block> cells_to_check(const Algorithm& algorithm) {
  const Info& info = algorithm.info();
  Sweep sweep;
  sweep.algorithms = {{.algorithm = &algorithm, .preset = {}}};
  sweep.keys = info.keys;
  sweep.values = info.values;
  sweep.n.assign(kSizes.begin(), kSizes.end());
  for (const char* const text : {"uniform", "constant", "words"}) {
    sweep.distributions.push_back(parse_distribution(text));
  }
  if (info.parallel && allowed_cpus().size() > 1) sweep.threads = {1, 2};
  sweep.protocol.processes = 1;
  sweep.protocol.samples = 5;
  sweep.protocol.timeout_s = 20;
  std::vector<Sweep> sweeps{sweep};
  for (const auto& [preset, parameters] : info.presets) {
    sweep.algorithms.push_back({.algorithm = &algorithm, .preset = preset});
  }
  sweep.n.assign(kPresetSizes.begin(), kPresetSizes.end());
  for (const Layout layout : info.layouts) {
    sweep.layout = layout;
    sweeps.push_back(sweep);
  }
  std::vector<Block> blocks = group_into_blocks(expand_sweeps(sweeps));
  // In any order, so that a budget that ends early has seen some of everything.
  std::ranges::shuffle(blocks, std::mt19937_64{1});
  return blocks;
}

/// True if this fault lost the cell.
bool fits(const Fault& fault, const CellResult& result) {
  return fault.is_told_apart && fault.record == to_name(result.status) && (!fault.code || fault.code == result.code);
}

/// Observations of the cells that were measured, over all samples.
struct Observed {
  std::uint64_t most_allocations = 0;
  double most_processors = 0;
  bool in_place = true;
  bool held = true;
  int cells = 0;

  void add(const CellResult& result) {
    ++cells;
    for (const Sample& sample : result.samples) {
      const SortFacts& facts = sample.facts;
      most_allocations = std::max(most_allocations, facts.allocations.value_or(0));
      if (facts.window_s > 0) most_processors = std::max(most_processors, facts.processor_s / facts.window_s);
      in_place = in_place && facts.in_place;
      held = held && facts.held;
    }
  }
};

int check_sort(const std::string& name, double budget_s) {
  const Algorithm& algorithm = algorithm_named(name);
  const Work work = plan_work(cells_to_check(algorithm));
  std::map<const Fault*, std::vector<std::string>> found;
  std::vector<std::string> otherwise_lost;
  Observed observed;
  SupervisorOptions options;
  options.time_budget_s = budget_s;
  const std::size_t left = supervise(
      work.blocks, options,
      {.running = [](const Cell&) {},
       .finished =
           [&](const Cell& cell, const CellResult& result) {
             if (result.status == Status::ok) return observed.add(result);
             const std::string text =
                 fmt::format("{}: {}: {}", case_text(cell.subject), to_name(result.status), result.reason);
             const auto fault = std::ranges::find_if(kFaults, [&](const Fault& f) { return fits(f, result); });
             (fault == kFaults.end() ? otherwise_lost : found[&*fault]).push_back(text);
           }});
  for (const Fault& fault : kFaults) {
    if (!fault.is_told_apart) continue;
    const auto cells = found.find(&fault);
    const std::size_t count = cells == found.end() ? 0 : cells->second.size();
    fmt::print("{:<5} {}\n", count == 0 ? "none" : fmt::format("{}", count), fault.name);
    if (count > 0) fmt::print("      {}\n", printable(cells->second.front()));
  }
  for (const std::string& text : otherwise_lost) fmt::print("lost  {}\n", printable(text));
  const bool on_device = is_on_devices(algorithm.info().runs_on);
  if (observed.cells > 0 && on_device) {
    fmt::print("seen  {}\n", observed.held ? "never waits for the device" : "waits for the device inside");
  } else if (observed.cells > 0) {
    fmt::print("seen  at most {} allocations in a sort, {:.2f} processors used, the result lies in {}\n",
               observed.most_allocations, observed.most_processors,
               observed.in_place ? "the input's arrays" : "scratch memory for some inputs");
  }
  std::size_t lost = otherwise_lost.size();
  for (const auto& [fault, cells] : found) lost += cells.size();
  fmt::print("{}: {} cells without a fault, {} with one, {} declined, {} left when the time was over\n", name,
             observed.cells, lost, work.skipped.size(), left);
  return lost > 0 || observed.cells == 0 ? 1 : 0;
}

}  // namespace

void add_check_sort(CLI::App& app, int& exit_status) {
  struct Options {
    std::string name;
    std::string budget = "60s";
    bool list = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "check-sort", "Looks for faults in a sort that would bend its times, or other sorts' results, at many sizes");
  command->footer("Example: sortlab check-sort my_sort --plugin ./my_sort.so");
  command->add_option("name", options->name, "A sort (`sortlab list algorithms`)");
  command->add_option("--time-budget", options->budget, "Time after which no further input is tried, as 90, 90s or 5m")
      ->capture_default_str();
  command->add_flag("--faults", options->list, "Only list the faults, and how they are found");
  command->callback([options, &exit_status] {
    if (options->list) return print_faults();
    const double budget_s = parse_duration(options->budget);
    if (options->name.empty()) throw BadInput("check-sort: name a sort; `sortlab list algorithms` lists them");
    exit_status = check_sort(options->name, budget_s);
  });
}

}  // namespace sortlab
