#include "harness/count/count_record.hpp"

#include <fmt/format.h>

#include "core/build_digest.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/count/host_counters.hpp"
#include "harness/count/metrics.hpp"
#include "harness/count/model_operations.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// Rounds to six digits. Counts are no more exact, since waiting warps and cache contents differ between replays.
double rounded(double value) {
  return std::stod(fmt::format("{:.6g}", value));
}

/// Counts per element, in the order of counters_of_kernels() and kHostCounters.
ordered_json per_element(const std::map<std::string, double>& counters, std::uint64_t n) {
  ordered_json values = ordered_json::object();
  const auto add = [&](std::string_view name) {
    const auto found = counters.find(std::string{name});
    if (found != counters.end() && n > 0) values[found->first] = rounded(found->second / static_cast<double>(n));
  };
  for (const Counter& counter : counters_of_kernels()) add(counter.name);
  for (const HostCounter& counter : kHostCounters) {
    if (!values.contains(counter.name)) add(counter.name);
  }
  return values;
}

ordered_json shares(const std::map<std::string, double>& of) {
  ordered_json values = ordered_json::object();
  for (const auto& [name, share] : of) values[name] = std::stod(fmt::format("{:.3g}", share));
  return values;
}

ordered_json model_record(const ModelOperations& operations, std::uint64_t n) {
  ordered_json phases = ordered_json::array();
  for (const PhasePrediction& phase : operations.phases) {
    ordered_json work = ordered_json::object();
    for (const auto& [name, amount] : phase.work) work[name] = rounded(amount / static_cast<double>(n));
    phases.push_back({{"name", phase.name}, {"pass", phase.pass}, {"per_element", work}});
  }
  return {{"name", operations.model}, {"digest", build_digest("models")}, {"phases", phases}};
}

ordered_json phase_record(const PhaseCounts& phase, std::uint64_t n) {
  if (phase.kernels.empty()) {  // a phase of a host sort
    return {{"name", phase.name}, {"pass", phase.pass}, {"per_element", per_element(phase.counters, n)}};
  }
  ordered_json kernels = ordered_json::array();
  for (const CountedKernel& kernel : phase.kernels) {
    kernels.push_back({{"name", kernel.name},
                       {"grid", kernel.grid},
                       {"block", kernel.block},
                       {"registers", kernel.registers},
                       {"shared_bytes", kernel.shared_bytes},
                       {"launches", kernel.launches}});
  }
  ordered_json record{{"name", phase.name},
                      {"pass", phase.pass},
                      {"kernels", kernels},
                      {"per_element", per_element(phase.counters, n)},
                      {"utilisation", shares(phase.utilisation)},
                      {"occupancy", std::stod(fmt::format("{:.3g}", phase.occupancy))},
                      {"binding", phase.binding}};
  if (!phase.stalls.empty()) record["stalls"] = shares(phase.stalls);
  return record;
}

}  // namespace

ordered_json count_record(const Cell& cell, const CellCounts& counts, const ordered_json& tool, int passes,
                          const std::string& run, const std::string& machine) {
  const Case& c = cell.subject;
  const bool ok = counts.status == Status::ok;
  const auto entropy = counts.entropy_bits.is_null() ? std::nullopt : std::optional{counts.entropy_bits.get<double>()};
  ordered_json record{{"schema", 1},
                      {"kind", "count"},
                      {"cell", cell_id(c)},
                      {"cell_scheme", kCellScheme},
                      {"key", resume_key(c, machine)},
                      {"run", run},
                      {"machine", machine},
                      {"case", to_json(c, {.entropy_bits = entropy})},
                      {"status", to_name(counts.status)},
                      {"reason", ok ? ordered_json() : ordered_json(counts.reason)},
                      {"tool", tool},
                      {"verification", counts.verification}};
  if (!counts.device.is_null()) record["device"] = counts.device;
  if (!counts.simd.empty()) record["tool"]["simd"] = counts.simd;
  if (!ok) return record;
  record["scratch_bytes"] = counts.scratch_bytes;
  record["passes"] = passes > 0 ? ordered_json(passes) : ordered_json();
  record["phases"] = ordered_json::array();
  std::map<std::string, double> totals;
  for (const PhaseCounts& phase : counts.phases) {
    record["phases"].push_back(phase_record(phase, c.n));
    for (const auto& [name, count] : phase.counters) totals[name] += count;
  }
  if (passes == 0) record["totals"] = per_element(totals, c.n);
  if (const auto operations = c.n > 0 ? count_operations(c) : std::nullopt) {
    record["model"] = model_record(*operations, c.n);
  }
  return record;
}

}  // namespace sortlab
