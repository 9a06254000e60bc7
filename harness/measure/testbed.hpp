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

#include "harness/cell/reason_code.hpp"
#include "harness/cell/timed_sample.hpp"
#include "harness/machine/control_groups.hpp"
#include "harness/machine/counters.hpp"
#include "harness/machine/device_facts.hpp"
#include "harness/machine/energy_meter.hpp"
#include "harness/machine/free_cores.hpp"
#include "harness/machine/interrupts.hpp"
#include "harness/measure/block_input.hpp"
#include "harness/measure/now_doing.hpp"
#include "harness/measure/runnable.hpp"
#include "harness/measure/turnstile.hpp"
#include "harness/verify/verification.hpp"

namespace sortlab {

/// Resources that a worker keeps from block to block.
struct WorkerResources {
  std::vector<int> cpus;  ///< processors allowed at the start
  InputMemory memory;
  CounterChoice counters;
  std::unique_ptr<Turnstile> turnstile{};  ///< null: no other program takes samples in turn
  FreeCores free_cores{};
  Throttling throttling{};
  InterruptRates interrupts{};
  std::string huge_pages{};  ///< BlockTask::huge_pages
  bool used = false;         ///< a sort was prepared in this process, which may have kept memory
};

/// An output to verify, and which of the testbed's current inputs it must be, sorted.
struct SortedInput {
  int input = 0;
  Buffers output;
};

/// Number of inputs that a sample sorts, and the state in which it begins.
struct SampleSetting {
  int batch = 1;        ///< inputs sorted within one reading, the first of the current ones
  bool primed = false;  ///< the input after these is sorted just before, untimed
};

/// The result of one timed sort, or of a batch of them.
struct TimedSort {
  TimedSample time;     ///< time of one sort
  double clock_hz = 0;  ///< measured beside it
  double waited_s = 0;  ///< for cores to become free; not part of a cell's budget
  SortFacts facts;
  CounterValues counters;
  std::vector<SortedInput> outputs;  ///< outputs that no later sort has overwritten; the last one is the batch's last
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

/// Thrown if this process cannot go on, because the device failed, say. A new worker must continue.
struct TestbedLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The sort did what no later sort of this process must suffer from; code and message say what.
struct SortAtFault : TestbedLost {
  SortAtFault(ReasonCode fault, const std::string& text) : TestbedLost(text), code(fault) {}
  ReasonCode code;
};

/// A sort beside the timed one gave a wrong result; the message says what is wrong.
struct WrongOutput : std::runtime_error {
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
  /// The same device as its driver knows it.
  virtual std::optional<DeviceIdentity> device_identity() const { return std::nullopt; }
  /// Resources with which a cell is prepared.
  virtual Resources resources(const Case&) const = 0;
  /// A timer for the phases of this cell's sorts.
  virtual PhaseTimer phase_timer(const Case&) = 0;

  // The following functions may throw std::bad_alloc, TestbedLost, and the exceptions of the plug-in.
  virtual std::unique_ptr<Runnable> prepare(const Case&) = 0;
  /// Makes the inputs with these numbers (input_seed.hpp) the current ones.
  virtual void make_inputs(const std::vector<std::uint64_t>& numbers) = 0;
  /// The first place outside the arrays of the last sort that was written to, in words, or nothing.
  virtual std::optional<std::string> damage() { return std::nullopt; }
  /// The reason why no sort may follow one with a wrong output in this process, or nothing.
  virtual std::optional<Reason> lasting_harm() { return std::nullopt; }
  /// The seed of the first of the current inputs.
  virtual std::uint64_t seed() const = 0;
  /// The digest of the first of the current inputs.
  virtual InputDigest digest() const = 0;
  /// Restores the first input and sorts it, before any sample; the time does not count.
  virtual TimedSort warm_up(const Case&, Runnable&, PhaseTimer&, const Doing&) = 0;
  /// Restores the inputs and times their sorts.
  virtual TimedSort sort(const Case&, Runnable&, PhaseTimer&, const SampleSetting&, const Doing&) = 0;
  /// The reason why the sort's time must not count, or nothing. Called once the outputs are verified. Adds to `sorted`
  /// what would have delayed the verification. Throws SortAtFault if the sort did damage.
  virtual std::optional<Reason> aftermath(const Case&, TimedSort& /*sorted*/) { return std::nullopt; }
  /// Seconds of a call as a program makes it: scratch is allocated and freed inside, and the output lies in the input's
  /// array. Nothing where that is not measured.
  virtual std::optional<TimedSort> called_from_a_program(const Case&, PhaseTimer&, const Doing&) {
    return std::nullopt;
  }
  /// Restores the current inputs in turn, `times` restorings in all, and sorts each unless `sorts` is false; waits for
  /// the last one and returns its output. Nothing is timed.
  virtual SortedInput repeat(const Case&, Runnable&, int times, bool sorts) = 0;
  /// Restores the input and sorts it once under a profiler or instrumentation tool. On a device the profiler sees only
  /// some of the sort's kernels: `shown` is asked at each reading of the phase clock, and with 0 before the first, and
  /// decides for the kernels up to the next reading. They carry the NVTX range "<label>_<reading>". On the host the
  /// tool sees a whole sort of one thread (counted_call), and `label` is not used. An end-to-end testbed returns
  /// nothing.
  virtual std::optional<ProfiledSort> profiled_sort(const Case&, Runnable&, const std::string& /*label*/,
                                                    const std::function<bool(std::int64_t reading)>& /*shown*/) {
    return std::nullopt;
  }
  virtual Verification verify(const Case&, Runnable&, const SortedInput& sorted) = 0;
  /// The first input of a sort, restored to the arrays to sort; it overwrites the output.
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

/// Makes a testbed on the devices of the case, with a shard on each. Null in a build without CUDA. Throws
/// std::bad_alloc and TestbedLost.
[[gnu::weak]] std::unique_ptr<Testbed> make_shards_testbed(const Case& c);

/// Makes a testbed for host arrays, in the kind of host memory that `c` names. They are copied to device 0, sorted, and
/// copied back, by the sort itself if it runs on both processors, otherwise around the sort.
[[gnu::weak]] std::unique_ptr<Testbed> make_end_to_end_testbed(const Case& c, WorkerResources& worker);

}  // namespace sortlab
