// A probe: a micro-benchmark that fills a table of the machine profile, which models read. A probe of a sort times one
// piece of it (a kernel, a loop, one tile or bucket) alone, with the sort's own code, on synthetic data. It never times
// the whole sort or all its phases together: the model would then read the time that it has to predict.
//
// A probe lies in the sort's folder, is listed under PROBES or CUDA_PROBES in its CMakeLists.txt, and registers itself:
//
//   void add_probes(Rounds& rounds, HostBench& bench) {  // host_probe.hpp; for a device: DeviceBench, device_probe.hpp
//     sweep(
//         rounds, {"my_sort.partition", "s/element", "what is timed, of what data"},
//         [&bench](int threads, std::size_t bytes) { return timed(threads, …) / elements; },
//         Axis{"threads", bench.threads}, Axis<std::size_t>{"bytes", {1 << 16, 1 << 20}});
//   }
//   const RegisterProbe registered{HostProbe{"my_sort", TableKind::component, add_probes}};
//
// A table whose points are no such product is declared, and filled point by point.
//
// A sample repeats its piece many times. On the same input, or on its own output, it teaches the branch predictor and
// finds sorted data: a piece with branches needs fresh or several inputs in turn, restored outside the timed part.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/names.hpp"

namespace sortlab::calibration {

/// Kind of model that may read a table.
enum class TableKind : std::uint8_t {
  hardware,   ///< rates, bandwidths and latencies of the machine, measured without sorting code
  component,  ///< the time of a piece of a sort, measured with the sort's own code
};

}  // namespace sortlab::calibration

template <>
inline constexpr std::array<std::string_view, 2> sortlab::kNames<sortlab::calibration::TableKind>{"hardware",
                                                                                                  "component"};

namespace sortlab::calibration {

/// Takes the samples of all probes in turn, one of each per round. A disturbance of a second then hits one sample of
/// many probes instead of all samples of one.
class Rounds {
 public:
  virtual ~Rounds() = default;

  /// Declares a table: its unit ("s/element"), a description of the measurement, and the names of its arguments. An
  /// argument whose name ends in "bytes" is a size: between points, models interpolate in its logarithm, in the
  /// reciprocal of "lines", and linearly in all others (machine_profile.hpp). Throws std::logic_error if the table
  /// exists already.
  virtual void declare(const std::string& table, std::string unit, std::string source,
                       std::vector<std::string> arguments) = 0;

  /// Adds a point to a declared table. `sample` measures it once, in about a millisecond, and returns the value in the
  /// table's unit. It is called after all probes have been added.
  virtual void add(const std::string& table, std::vector<double> at, std::function<double()> sample) = 0;
};

/// The arguments of a point, as its table holds them.
template <class... Numbers>
std::vector<double> point(Numbers... arguments) {
  return {static_cast<double>(arguments)...};
}

/// Name, unit and source of a table, as Rounds::declare takes them.
struct TableInfo {
  std::string name;
  std::string unit;
  std::string source;
};

/// An argument of a table, and the values at which it is measured.
template <class T>
struct Axis {
  std::string name;
  std::vector<T> values;
};
template <class T>
Axis(const char*, std::vector<T>) -> Axis<T>;

/// Calls `body` with every combination of the axes' values.
template <class Body, class... Axes>
void for_each_combination(const Body& body, const Axes&... axes) {
  if constexpr (sizeof...(axes) == 0) {
    body();
  } else {
    [&](const auto& first, const auto&... others) {
      for (const auto value : first.values) {
        for_each_combination([&](auto... rest) { body(value, rest...); }, others...);
      }
    }(axes...);
  }
}

/// Declares a table and adds a point for every combination of the axes' values, which `sample(values…)` measures.
template <class Sample, class... T>
void sweep(Rounds& rounds, const TableInfo& table, const Sample& sample, const Axis<T>&... axes) {
  rounds.declare(table.name, table.unit, table.source, {axes.name...});
  for_each_combination(
      [&](T... values) { rounds.add(table.name, point(values...), [=] { return sample(values...); }); }, axes...);
}

struct HostBench;   // host_probe.hpp
class DeviceBench;  // device_probe.hpp

/// A function that adds tables to the rounds. `bench` holds the memory that all probes share and outlives the rounds.
template <class Bench>
struct Probe {
  std::string name;  ///< name of the sort, or of the resource that it measures
  TableKind kind;
  void (*add)(Rounds& rounds, Bench& bench);
};
using HostProbe = Probe<HostBench>;
using DeviceProbe = Probe<DeviceBench>;

/// Registers a probe for the life of the program.
struct RegisterProbe {
  explicit RegisterProbe(HostProbe probe);
  explicit RegisterProbe(DeviceProbe probe);
};

const std::vector<HostProbe>& host_probes();      ///< sorted by name
const std::vector<DeviceProbe>& device_probes();  ///< sorted by name; empty in a build without CUDA

}  // namespace sortlab::calibration
