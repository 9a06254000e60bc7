#include "harness/count/likwid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/affinity.hpp"
#include "core/child_process.hpp"
#include "core/read_file.hpp"
#include "harness/count/counted_sorts.hpp"
#include "harness/count/counting_failed.hpp"
#include "harness/count/host_tools.hpp"

namespace sortlab {
namespace {

constexpr double kGiga = 1e9;

/// Adds one group's counts of a sort to those of the earlier groups.
void add_to(CellCounts& all, const CellCounts& some) {
  if (all.status != Status::ok) return;
  if (some.status != Status::ok) {
    all.status = some.status;
    all.reason = some.reason;
    all.phases.clear();
    return;
  }
  for (const PhaseCounts& phase : some.phases) {
    const auto is_it = [&](const PhaseCounts& p) { return p.name == phase.name && p.pass == phase.pass; };
    const auto found = std::ranges::find_if(all.phases, is_it);
    if (found == all.phases.end()) {
      all.phases.push_back(phase);
    } else {
      for (const auto& [name, count] : phase.counters) found->counters[name] += count;
    }
  }
}

}  // namespace

std::vector<std::string> likwid_groups() {
  std::vector<std::string> groups;
  for (const char* group : kLikwidGroups) {
    const CounterChoice choice =
        choose_counters({likwid_source({allowed_cpus().front()}, std::chrono::seconds{10}, likwid_library(), group)});
    if (choice.counters != nullptr) {
      groups.emplace_back(group);
    } else if (groups.empty()) {
      throw CountingFailed(choice.reason);
    }
  }
  return groups;
}

CounterValues our_counters(const std::string& group, const CounterValues& counted) {
  const std::set<std::string> instructions{"INSTR_RETIRED_ANY", "RETIRED_INSTRUCTIONS"};
  const std::set<std::string> cycles{"CPU_CLK_UNHALTED_CORE", "ACTUAL_CPU_CLOCK"};
  const std::set<std::string> branches{"BR_INST_RETIRED_ALL_BRANCHES", "RETIRED_BRANCH_INSTR"};
  const std::set<std::string> branch_misses{"BR_MISP_RETIRED_ALL_BRANCHES", "RETIRED_MISP_BRANCH_INSTR"};
  const std::set<std::string> dtlb_misses{"DTLB_LOAD_MISSES_CAUSES_A_WALK", "DTLB_STORE_MISSES_CAUSES_A_WALK",
                                          "L1_DTLB_MISS_ANY_L2_MISS"};
  CounterValues ours;
  for (const auto& [name, value] : counted) {
    if (group == "CLOCK" && instructions.contains(name)) ours["instructions"] += value;
    if (group == "CLOCK" && cycles.contains(name)) ours["cycles"] += value;
    if (branches.contains(name)) ours["branches"] += value;
    if (branch_misses.contains(name)) ours["branch_misses"] += value;
    if (dtlb_misses.contains(name)) ours["dtlb_misses"] += value;
    if (name == "L2 data volume [GBytes]") ours["bytes_l2"] += kGiga * value;
    if (name == "L3 data volume [GBytes]") ours["bytes_l3"] += kGiga * value;
    if (name.starts_with("Memory data volume"))
      ours["bytes_memory"] += kGiga * value;  // on AMD, one group covers half of the channels
  }
  return ours;
}

nlohmann::ordered_json LikwidTool::description() const {
  return {{"name", "likwid"}, {"groups", groups_}};
}

CountingTool::Told LikwidTool::run(const std::string& task, const std::string& answers,
                                   const std::function<bool()>& too_long) const {
  Told all;
  for (const std::string& group : groups_) {
    // If no sort was counted by the groups before, as when likwid hangs, further ones would only cost as much time
    // again.
    const auto went_well = [](const CellCounts& cell) { return cell.status == Status::ok; };
    if (group != groups_.front() && std::ranges::none_of(all.cells, went_well)) break;
    std::filesystem::remove(answers);
    const ChildOutput run = run_child(
        {.words = counting_process({task, answers, fmt::format("{}", passes_), kWithLikwid, group})}, too_long);
    Told told{.cells = cells_answered(read_file(answers).value_or(""), name(),
                                      [&](const nlohmann::ordered_json& answer) {
                                        std::vector<CounterValues> between;
                                        for (const auto& counted : answer.at("between")) {
                                          between.push_back(our_counters(group, counted.get<CounterValues>()));
                                        }
                                        return host_phases(answer, between, passes_);
                                      }),
              .too_long = run.too_long};
    if (group == groups_.front()) {
      all = std::move(told);
      continue;
    }
    all.cells.resize(std::min(all.cells.size(), told.cells.size()));
    for (std::size_t i = 0; i < all.cells.size(); ++i) add_to(all.cells[i], told.cells[i]);
    all.too_long = all.too_long || told.too_long;
  }
  return all;
}

}  // namespace sortlab
