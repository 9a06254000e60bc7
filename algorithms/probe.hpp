// A probe: a micro-benchmark whose table of the machine profile models read. A probe of a sort times a piece of it (a
// kernel, a loop, one tile or bucket) by the sort's own code, alone, on synthetic data; never the sort itself, nor all
// its phases together, or the model would read what it is to predict.
//
// It lies in the sort's folder, under PROBES or CUDA_PROBES in its CMakeLists.txt, and registers itself:
//
//   void add_probes(Rounds& rounds, HostBench& bench) {  // host_probe.hpp; on a device DeviceBench: device_probe.hpp
//     rounds.declare("my_sort.partition", "s/element", "what is timed, of what data", {"threads", "bytes"});
//     rounds.add("my_sort.partition", {1, 65536}, [&bench] { return timed(1, …) / elements; });
//   }
//   const RegisterProbe registered{HostProbe{"my_sort", TableKind::component, add_probes}};
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace sortlab::calibration {

/// The kind of model that may read a table.
enum class TableKind : std::uint8_t {
  hardware,   ///< no sorting code: rates, bandwidths and latencies of the machine
  component,  ///< a piece of a sort, by its own code
};

/// Takes the samples of all probes in turn, one of each per round, so that a disturbance of a second hits one sample
/// of each and not on all samples of one.
class Rounds {
 public:
  virtual ~Rounds() = default;

  /// A table with its unit ("s/element"), what is measured, and the names of its arguments; one that ends in "bytes" is
  /// a size. Throws std::logic_error if there is one of this name.
  virtual void declare(const std::string& table, std::string unit, std::string source,
                       std::vector<std::string> arguments) = 0;

  /// One point of a declared table: `sample` measures it once, in about a millisecond, and returns it in the table's
  /// unit. It is called after all probes have been added.
  virtual void add(const std::string& table, std::vector<double> at, std::function<double()> sample) = 0;
};

struct HostBench;   // host_probe.hpp
class DeviceBench;  // device_probe.hpp

/// Adds tables to the rounds. `bench` has the memory that all probes share, and lives as long as the rounds.
template <class Bench>
struct Probe {
  std::string name;  ///< of the sort, or of what it loads
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

const std::vector<HostProbe>& host_probes();      ///< by name
const std::vector<DeviceProbe>& device_probes();  ///< by name; none in a build without CUDA

}  // namespace sortlab::calibration
