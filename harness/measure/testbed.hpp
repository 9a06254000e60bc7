// Where the cells of a block are measured: holds their input, runs their sorts or components and verifies what these
// return. There is one for sorts on the host's processors, one for sorts on a CUDA device, and one for sorts end to
// end.
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

/// What a worker keeps from block to block.
struct WorkerResources {
  std::vector<int> cpus;  ///< allowed at start
  InputMemory memory;
  CounterChoice counters;
};

/// The result of one timed sort.
struct TimedSort {
  TimedSample time;
  double clock_hz = 0;  ///< measured beside it
  double waited_s = 0;  ///< for cores to become free; not part of a cell's budget
  CounterValues counters;
  Buffers output;
};

/// The result of one sort under a profiler.
struct ProfiledSort {
  Buffers output;
  std::vector<PhaseSpan> spans;  ///< begin and end are readings of a clock that counts them, not nanoseconds
  std::int64_t readings = 0;     ///< of that clock, on the host
  /// Counts of the process's counters before the first reading, after it, … after the last; on the host, if there are
  /// counters.
  std::vector<CounterValues> between{};
};

/// The device failed for the rest of this process: the current cell is lost, and a new worker must continue.
struct TestbedLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Testbed {
 public:
  /// Called with the step that begins, so that a supervisor can attribute a crash or a hang. Step::idle: to no cell.
  using Doing = std::function<void(Step)>;

  virtual ~Testbed() = default;
  virtual std::optional<double> entropy_bits() const = 0;
  /// The device of the sorts; nothing on the host.
  virtual std::optional<DeviceFacts> device() const { return std::nullopt; }
  /// What a cell is prepared with.
  virtual Resources resources(const Case&) const = 0;
  /// For the phases of this cell's sorts.
  virtual PhaseTimer phase_timer(const Case&) = 0;

  // Each may throw std::bad_alloc, TestbedLost, and what the plug-in throws.
  virtual std::unique_ptr<Runnable> prepare(const Case&) = 0;
  /// Restores the input and sorts it, outside any measurement.
  virtual void warm_up(const Case&, Runnable&, PhaseTimer&, const Doing&) = 0;
  /// Restores the input and times one sort.
  virtual TimedSort sort(const Case&, Runnable&, PhaseTimer&, const Doing&) = 0;
  /// Restores the input and sorts it once, with only the sort visible to a device profiler, and of it only the kernels
  /// launched after those readings of the spans' clock that are `shown` (0: before the first). Each kernel carries the
  /// NVTX range "<label>_<reading>" with the last reading before its launch. On the host: a whole sort of one thread by
  /// counted_call, without label; a testbed of both shows nothing.
  virtual std::optional<ProfiledSort> profiled_sort(const Case&, Runnable&, const std::string& /*label*/,
                                                    const std::function<bool(std::int64_t reading)>& /*shown*/) {
    return std::nullopt;
  }
  virtual Verification verify(const Case&, Runnable&, const Buffers& output) = 0;
  /// The input of a sort, restored to the arrays to sort; it overwrites the output.
  virtual Buffers input(const Case&) = 0;
  /// Copies from an array of this testbed.
  virtual void copy_to_host(void* to, const void* from, std::uint64_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
};

/// For cells that share the input of `c`, with sorts in `layouts`. Throws std::bad_alloc.
std::unique_ptr<Testbed> make_host_testbed(const Case& c, const std::vector<Layout>& layouts, WorkerResources& worker);

/// The same on device 0, with keys and values apart. Null in a build without CUDA. Throws TestbedLost, too.
[[gnu::weak]] std::unique_ptr<Testbed> make_device_testbed(const Case& c);

/// The same for arrays in the host's memory of the kind that `c` names: copied to device 0, sorted, and copied back; by
/// the sort itself if it runs on both, or around it.
[[gnu::weak]] std::unique_ptr<Testbed> make_end_to_end_testbed(const Case& c, const WorkerResources& worker);

}  // namespace sortlab
