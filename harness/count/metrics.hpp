// The counters of a kernel: our names, ncu's metrics behind them, and the binding resource.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sortlab {

/// A number of events or bytes, summed over the device.
struct Counter {
  std::string_view name;
  std::string_view metric;
  std::string_view meaning;
  std::string_view work{};  ///< what models call it in PhasePrediction::work; empty: nothing
};

/// A resource and its metrics of utilisation in per cent of peak; the largest counts.
struct Resource {
  std::string_view name;
  std::vector<std::string_view> metrics;
};

const std::vector<Counter>& counters_of_kernels();
const std::vector<Resource>& resources_of_device();
/// Share of the warps that fit on the multiprocessors while these work.
inline constexpr std::string_view kOccupancyMetric = "sm__warps_active.avg.pct_of_peak_sustained_active";
/// Reasons for which warps stall, with their metrics: stalled warps per issue-active cycle.
const std::vector<std::pair<std::string_view, std::string_view>>& stall_reasons();

/// All metrics to request; those of stalls add half as many passes over each kernel.
std::vector<std::string> metrics_to_count(bool stalls);

/// Below this share of its peak a resource is taken not to bind.
inline constexpr double kBinds = 0.6;

/// The resource with the highest utilisation; "latency" if none reaches kBinds: then warps mostly wait, and no resource
/// is exhausted.
std::string binding_of(const std::map<std::string, double>& utilisation);

}  // namespace sortlab
