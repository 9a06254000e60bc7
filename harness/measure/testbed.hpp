// The testbed of a block: holds the input, runs the sorts or components of the cells, and verifies their outputs. There
// is one for sorts on the host, one for sorts on a CUDA device, and one for sorts end to end.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/cell/timed_sample.hpp"
#include "harness/machine/counters.hpp"
#include "harness/machine/device_facts.hpp"
#include "harness/measure/block_input.hpp"
#include "harness/measure/now_doing.hpp"
#include "harness/measure/runnable.hpp"
#include "harness/verify/verification.hpp"

namespace sortlab {

/// Resources that a worker keeps from block to block.
struct WorkerResources {
  std::vector<int> cpus;  ///< processors allowed at the start
  InputMemory memory;
  CounterChoice counters;
};

/// The result of one timed sort.
struct TimedSort {
  TimedSample time;
  double clock_hz = 0;  ///< clock measured with it
  double waited_s = 0;  ///< waiting time for free cores; not part of a cell's budget
  CounterValues counters;
  Buffers output;
};

/// The result of one sort under a profiler.
struct ProfiledSort {
  Buffers output;
  std::vector<PhaseSpan> spans;  ///< begin and end are numbers of clock readings, not nanoseconds
  std::int64_t readings = 0;     ///< number of readings of that clock, on the host
  /// Counts of the process's counters before the first reading, after it, … and after the last; on the host, if there
  /// are counters.
  std::vector<CounterValues> between{};
};

/// Thrown if the device failed for the rest of this process. The current cell is lost, and a new worker must continue.
struct TestbedLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Testbed {
 public:
  /// Called at the begin of each step, so that a supervisor can attribute a crash or a hang. Step::idle belongs to no
  /// cell.
  using Doing = std::function<void(Step)>;

  virtual ~Testbed() = default;
  virtual std::optional<double> entropy_bits() const = 0;
  /// The device of the sorts; nullopt on the host.
  virtual std::optional<DeviceFacts> device() const { return std::nullopt; }
  /// Resources with which a cell is prepared.
  virtual Resources resources(const Case&) const = 0;
  /// A timer for the phases of this cell's sorts.
  virtual PhaseTimer phase_timer(const Case&) = 0;

  // The following functions may throw std::bad_alloc, TestbedLost, and the exceptions of the plug-in.
  virtual std::unique_ptr<Runnable> prepare(const Case&) = 0;
  /// Restores the input and sorts it, without measurement.
  virtual void warm_up(const Case&, Runnable&, PhaseTimer&, const Doing&) = 0;
  /// Restores the input and times one sort.
  virtual TimedSort sort(const Case&, Runnable&, PhaseTimer&, const Doing&) = 0;
  /// Restores the input and sorts it once. A device profiler sees only kernels of the sort, and only those launched
  /// after readings of the spans' clock for which `shown` is true (0: before the first). Each kernel is in the NVTX
  /// range
  /// "<label>_<reading>" with the last reading before its launch. On the host, a whole single-threaded sort runs within
  /// counted_call(). An end-to-end testbed shows nothing.
  virtual std::optional<ProfiledSort> profiled_sort(const Case&, Runnable&, const std::string& /*label*/,
                                                    const std::function<bool(std::int64_t reading)>& /*shown*/) {
    return std::nullopt;
  }
  virtual Verification verify(const Case&, Runnable&, const Buffers& output) = 0;
  /// Restores the input to the arrays to sort, over the output.
  virtual Buffers input(const Case&) = 0;
  /// Copies bytes of an array of this testbed to host memory.
  virtual void copy_to_host(void* to, const void* from, std::uint64_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
};

/// Makes a testbed for cells that share the input of `c`, with sorts in `layouts`. Throws std::bad_alloc.
std::unique_ptr<Testbed> make_host_testbed(const Case& c, const std::vector<Layout>& layouts, WorkerResources& worker);

/// Makes a testbed on device 0, with keys and values apart. Null in a build without CUDA. May also throw TestbedLost.
[[gnu::weak]] std::unique_ptr<Testbed> make_device_testbed(const Case& c);

/// Makes a testbed for host arrays, in the kind of host memory that `c` names. They are copied to device 0, sorted, and
/// copied back, by the sort itself if it runs on both processors, otherwise around the sort.
[[gnu::weak]] std::unique_ptr<Testbed> make_end_to_end_testbed(const Case& c, const WorkerResources& worker);

}  // namespace sortlab
