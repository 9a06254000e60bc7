#include "harness/count/phase_counts.hpp"

#include <algorithm>

#include "harness/count/metrics.hpp"

namespace sortlab {
namespace {

/// The key of a phase while its kernels are collected.
struct PhaseName {
  std::string name;
  int pass = 0;
  bool operator==(const PhaseName&) const = default;
};

double metric_value(const KernelRow& row, std::string_view metric) {
  const auto found = row.metrics.find(std::string{metric});
  return found == row.metrics.end() ? 0 : found->second;
}

void add_kernel(std::vector<CountedKernel>& kernels, const KernelRow& row) {
  const auto same = std::ranges::find_if(kernels, [&](const CountedKernel& k) {
    return k.name == row.name && k.grid == row.grid && k.block == row.block && k.registers == row.registers &&
           k.shared_bytes == row.shared_bytes;
  });
  if (same != kernels.end()) {
    ++same->launches;
  } else {
    kernels.push_back({row.name, row.grid, row.block, row.registers, row.shared_bytes, 1});
  }
}

void add_shares(PhaseCounts& phase, const KernelRow& row) {
  for (const DeviceResource& resource : resources_of_device()) {
    double most = 0;
    for (const std::string_view metric : resource.metrics) most = std::max(most, metric_value(row, metric) / 100);
    phase.utilisation[std::string{resource.name}] = most;
  }
  phase.occupancy = metric_value(row, kOccupancyMetric) / 100;
  double waiting = 0;
  for (const auto& [name, metric] : stall_reasons()) waiting += metric_value(row, metric);
  for (const auto& [name, metric] : stall_reasons()) {
    if (waiting > 0) phase.stalls[std::string{name}] = metric_value(row, metric) / waiting;
  }
  phase.binding = binding_resource(phase.utilisation);
}

PhaseCounts count_phase(const PhaseName& phase, const std::vector<const KernelRow*>& rows) {
  PhaseCounts counts{.name = phase.name, .pass = phase.pass};
  for (const KernelRow* row : rows) {
    add_kernel(counts.kernels, *row);
    for (const Counter& counter : counters_of_kernels()) {
      const auto found = row->metrics.find(std::string{counter.metric});
      if (found != row->metrics.end()) counts.counters[std::string{counter.name}] += found->second;
    }
  }
  const std::string_view work = counters_of_kernels().front().metric;
  add_shares(counts, **std::ranges::max_element(rows, {}, [&](const KernelRow* r) { return metric_value(*r, work); }));
  return counts;
}

}  // namespace

const CountedSpan* innermost(const std::vector<CountedSpan>& spans, std::int64_t reading) {
  const CountedSpan* found = nullptr;
  for (const CountedSpan& span : spans) {
    if (span.begin <= reading && reading < span.end && (found == nullptr || span.begin > found->begin)) found = &span;
  }
  return found;
}

std::vector<PhaseCounts> phase_counts(const std::vector<CountedSpan>& spans, const std::vector<KernelRow>& rows) {
  std::vector<std::pair<PhaseName, std::vector<const KernelRow*>>> phases;
  std::map<std::string, int> launches;  // outside all spans
  for (const KernelRow& row : rows) {
    const CountedSpan* const span = innermost(spans, row.reading);
    const PhaseName name =
        span != nullptr ? PhaseName{span->name, span->pass} : PhaseName{row.name, launches[row.name]++};
    auto found = std::ranges::find_if(phases, [&](const auto& phase) { return phase.first == name; });
    if (found == phases.end()) found = phases.insert(phases.end(), {name, {}});
    found->second.push_back(&row);
  }
  std::vector<PhaseCounts> counts;
  for (const auto& [name, kernels] : phases) counts.push_back(count_phase(name, kernels));
  return counts;
}

}  // namespace sortlab
