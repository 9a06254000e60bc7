#include "harness/count/count_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/printable.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/count/host_counters.hpp"
#include "harness/count/metrics.hpp"
#include "harness/count/model_operations.hpp"
#include "harness/predict/workload.hpp"

namespace sortlab {
namespace {

/// Sum over all passes of a phase.
struct Sum {
  std::string name;
  int passes = 0;
  std::map<std::string, double> counters{};
  std::map<std::string, int> bindings{};
};

std::vector<Sum> over_passes(const std::vector<PhaseCounts>& phases) {
  std::vector<Sum> sums;
  for (const PhaseCounts& phase : phases) {
    auto sum = std::ranges::find(sums, phase.name, &Sum::name);
    if (sum == sums.end()) sum = sums.insert(sums.end(), Sum{.name = phase.name});
    ++sum->passes;
    ++sum->bindings[phase.binding];
    for (const auto& [name, count] : phase.counters) sum->counters[name] += count;
  }
  return sums;
}

using Work = std::map<std::string, double>;

/// The work of each phase, summed over its passes, from the first model that predicts this case without sort times.
std::pair<std::string, std::map<std::string, Work>> model_work(const Case& c, const MachineProfile* machine) {
  if (machine == nullptr) return {};
  for (const Model* model : algorithm_models(c.algorithm->info().name)) {
    if (knows_times(model->info())) continue;
    try {
      Views views;
      std::map<std::string, Work> phases;
      for (const PhasePrediction& phase : checked_prediction(*model, make_workload(c), views.of(c), *machine).phases) {
        for (const auto& [name, amount] : phase.work) phases[phase.name][name] += amount;
      }
      return {model->info().name, phases};
    } catch (const MissingQuantity&) {
    } catch (const BadInput&) {
    }
  }
  return {};
}

/// The count under the name that models use, or nullopt.
std::optional<double> counted(const std::map<std::string, double>& counters, const std::string& work) {
  if (work == "bytes.memory") {  // both directions together
    const auto read = counters.find("dram_read_bytes");
    const auto written = counters.find("dram_write_bytes");
    if (read == counters.end() || written == counters.end()) return std::nullopt;
    return read->second + written->second;
  }
  for (const Counter& counter : counters_of_kernels()) {
    const auto found = counters.find(std::string{counter.name});
    if (counter.work == work && found != counters.end()) return found->second;
  }
  return std::nullopt;
}

std::string bindings_text(const std::map<std::string, int>& bindings) {
  std::vector<std::string> texts;
  for (const auto& [name, passes] : bindings) {
    texts.push_back(bindings.size() == 1 ? name : fmt::format("{} ({})", name, passes));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string number(const std::map<std::string, double>& counters, const char* name, double n) {
  const auto found = counters.find(name);
  return found == counters.end() ? "-" : fmt::format("{:.4g}", found->second / n);
}

std::string host_table(const Case& c, const CellCounts& counts) {
  const auto n = static_cast<double>(std::max<std::uint64_t>(1, c.n));
  std::vector<std::string> columns{"phase", "passes"};
  for (const HostCounter& counter : kHostCounters) columns.emplace_back(counter.name);
  std::vector<std::vector<std::string>> rows;
  std::map<std::string, double> totals;
  for (const Sum& phase : over_passes(counts.phases)) {
    rows.push_back({phase.name, fmt::format("{}", phase.passes)});
    for (const HostCounter& counter : kHostCounters) {
      rows.back().push_back(number(phase.counters, counter.name.data(), n));
    }
    for (const auto& [name, count] : phase.counters) totals[name] += count;
  }
  rows.push_back({"all", ""});
  for (const HostCounter& counter : kHostCounters) rows.back().push_back(number(totals, counter.name.data(), n));
  std::string text = fmt::format("{}, {} instructions\n{}", case_text(c), counts.simd, table(columns, rows));
  const auto operations = count_operations(c);
  if (!operations) return text;
  std::map<std::string, Work> work;
  for (const PhasePrediction& phase : operations->phases) {
    for (const auto& [name, amount] : phase.work) work[phase.name][name] += amount;
  }
  text += fmt::format("model {}, an element:\n", operations->model);
  for (const auto& [phase, amounts] : work) {
    for (const auto& [name, amount] : amounts) text += fmt::format("  {} has {} {:.4g}\n", phase, name, amount / n);
  }
  return text;
}

}  // namespace

std::string count_table(const Case& c, const CellCounts& counts, const MachineProfile* machine) {
  const double n = std::max(1.0, static_cast<double>(c.n));
  const std::vector<std::string> names{"instructions",    "instructions_alu",      "shared_wavefronts",
                                       "shared_atomics",  "shared_bank_conflicts", "l2_bytes",
                                       "dram_read_bytes", "dram_write_bytes"};
  std::vector<std::vector<std::string>> rows;
  std::string models;
  if (c.algorithm->info().runs_on == Processor::host) return host_table(c, counts);
  const auto [model, work] = model_work(c, machine);
  for (const Sum& phase : over_passes(counts.phases)) {
    std::vector<std::string> row{phase.name, fmt::format("{}", phase.passes)};
    for (const std::string& name : names) row.push_back(number(phase.counters, name.c_str(), n));
    row.push_back(bindings_text(phase.bindings));
    rows.push_back(std::move(row));
    const auto modelled = work.find(phase.name);
    if (modelled == work.end()) continue;
    for (const auto& [name, amount] : modelled->second) {
      const auto count = counted(phase.counters, name);
      models += fmt::format("  {} has {} {:.4g}{}\n", phase.name, name, amount / n,
                            count && *count > 0 ? fmt::format(": {:.3f} of what was counted", amount / *count) : "");
    }
  }
  std::string text = fmt::format("{}\n", case_text(c));
  text += table({"phase", "passes", "instr", "alu", "shared wavefr.", "atomics", "conflicts", "L2 B", "DRAM B read",
                 "written", "binding"},
                rows);
  if (!models.empty()) text += fmt::format("model {}, an element:\n{}", model, models);
  return text;
}

}  // namespace sortlab
