// The counters of a kernel: our names, the corresponding metrics of ncu, and the binding resource.
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
  std::string_view work{};  ///< its name in PhasePrediction::work; empty: models do not count it
};

/// A resource and its utilisation metrics, in per cent of peak. The largest counts.
struct DeviceResource {
  std::string_view name;
  std::vector<std::string_view> metrics;
};

const std::vector<Counter>& counters_of_kernels();
const std::vector<DeviceResource>& resources_of_device();
/// Active warps as a share of the warps that fit on a busy multiprocessor.
inline constexpr std::string_view kOccupancyMetric = "sm__warps_active.avg.pct_of_peak_sustained_active";
/// Stall reasons with their metrics: stalled warps per issue-active cycle.
const std::vector<std::pair<std::string_view, std::string_view>>& stall_reasons();

/// All metrics to request. Stall metrics need half as many passes over each kernel again.
std::vector<std::string> metrics_to_count(bool stalls);

/// Minimum utilisation of a binding resource, as a share of its peak.
inline constexpr double kBinds = 0.6;

/// The resource with the highest utilisation, or "latency" if none reaches kBinds: warps then mostly wait.
std::string binding_resource(const std::map<std::string, double>& utilisation);

}  // namespace sortlab
