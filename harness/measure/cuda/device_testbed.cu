// Sorts on a CUDA device, timed by events around the sort alone. The method is that of NVBench. Before each sort, the
// input is restored and the L2 cache flushed. A kernel that waits for the host holds the stream while the sort's
// launches are queued behind it, so that launch costs do not show as gaps. A sort that itself waits for the device
// cannot be held.
#include <algorithm>
#include <map>
#include <set>

#include "core/cuda/stream_hold_and_clock.hpp"
#include "harness/cell/problem.hpp"
#include "harness/measure/cuda/device_allocations.hpp"
#include "harness/measure/cuda/device_facts.hpp"
#include "harness/measure/cuda/device_idle.hpp"
#include "harness/measure/cuda/device_input.hpp"
#include "harness/measure/cuda/guarded.hpp"
#include "harness/measure/cuda/launch_marks.hpp"
#include "harness/measure/cuda/stream_clock.hpp"
#include "harness/measure/impossible_time.hpp"
#include "harness/measure/sleeper.hpp"
#include "harness/verify/verify_device.hpp"

namespace sortlab {
namespace {

class DeviceTestbed final : public Testbed {
 public:
  explicit DeviceTestbed(const Case& c)
      : facts_(query_device_facts(kDevice)), phase_clock_(stream_), input_(c, stream()), flushed_(facts_.l2_bytes) {}

  std::optional<double> entropy_bits() const override { return input_.entropy_bits(); }
  std::optional<DeviceFacts> device() const override { return facts_; }
  std::optional<DeviceIdentity> device_identity() const override { return query_device_identity(kDevice); }
  Resources resources(const Case&) const override { return {.threads = 1, .cpus = {}, .stream = stream()}; }
  PhaseTimer phase_timer(const Case&) override { return PhaseTimer(1, &phase_clock_); }

  std::unique_ptr<Runnable> prepare(const Case& c) override {
    return guarded([&] {
      auto runnable = sortlab::prepare(c, resources(c));
      check(cudaStreamSynchronize(stream_));
      return runnable;
    });
  }

  void make_inputs(const std::vector<std::uint64_t>& numbers) override {
    guarded([&] { input_.make(numbers.front()); });
  }
  std::optional<std::string> damage() override {
    return guarded([&] { return input_.damage(); });
  }
  std::optional<Reason> lasting_harm() override {
    return guarded([&]() -> std::optional<Reason> {
      check(cudaDeviceSynchronize());
      if (const auto found = input_.damage()) {
        return Reason{ReasonCode::outside_arrays, "it wrote outside its arrays: " + *found};
      }
      if (!input_.is_intact()) {
        return Reason{ReasonCode::original_overwritten, "it overwrote the original of its input"};
      }
      return std::nullopt;
    });
  }
  std::uint64_t seed() const override { return input_.seed(); }
  InputDigest digest() const override { return input_.digest(); }

  TimedSort warm_up(const Case& c, Runnable& runnable, PhaseTimer& phases, const Doing& doing) override {
    return guarded([&] {
      doing(Step::restoring);
      const Buffers buffers = restore(c, runnable);
      check(cudaStreamSynchronize(stream_));
      doing(Step::warming_up);
      TimedSort result;
      result.time.seconds = 1;  // not measured
      result.outputs.push_back({0, run(runnable, buffers, phases)});
      wait_for_the_sort(c);
      return result;
    });
  }

  TimedSort sort(const Case& c, Runnable& runnable, PhaseTimer& phases, const SampleSetting&,
                 const Doing& doing) override {
    return guarded([&] {
      phases.reset();
      int& with_phases = phases_taken_[&c];
      const bool has_phases = !phase_names(c).empty() && with_phases < kSortsWithPhases;
      if (has_phases) {
        ++with_phases;
        sort_with_phases(c, runnable, phases, doing);
      }
      return timed(c, runnable, doing);
    });
  }

  std::optional<Reason> aftermath(const Case& c, TimedSort& sorted) override {
    return impossible_time(c, sorted.time.seconds, facts_.multiprocessors, facts_.clock_hz);
  }

  SortedInput repeat(const Case& c, Runnable& runnable, int times, bool sorts) override {
    return guarded([&] {
      PhaseTimer no_phases(1, &phase_clock_);
      SortedInput last;
      for (int i = 0; i < times; ++i) {
        const Buffers buffers = restore(c, runnable);
        no_phases.reset();
        if (sorts) last = {0, run(runnable, buffers, no_phases)};
      }
      wait_for_the_sort(c);
      return last;
    });
  }

  std::optional<ProfiledSort> profiled_sort(const Case& c, Runnable& runnable, const std::string& label,
                                            const std::function<bool(std::int64_t)>& shown) override {
    return guarded([&] {
      ProfiledSort sort;
      const Buffers buffers = restore(c, runnable);
      check(cudaStreamSynchronize(stream_));
      LaunchMarks marks(label, shown);
      PhaseTimer phases(1, &marks);
      sort.output = runnable.run(buffers, phases);
      check(cudaStreamSynchronize(stream_));
      sort.spans = phases.lanes().front();
      return std::optional{sort};
    });
  }

  Verification verify(const Case& c, Runnable& runnable, const SortedInput& sorted) override {
    return guarded([&] {
      const Buffers finished = runnable.finish(sorted.output);
      const Postcondition wanted = runnable.postcondition();
      Problem problem = case_problem(c);
      problem.layout = wanted.layout;
      return verify_on_device(input_.digest(), finished, problem, wanted.stable, stream(), wanted.order);
    });
  }

  Buffers input(const Case& c) override {
    return guarded([&] {
      const Buffers buffers = input_.restore(c.layout);
      check(cudaStreamSynchronize(stream_));
      return buffers;
    });
  }

  void copy_to_host(void* to, const void* from, std::uint64_t bytes) override {
    guarded([&] { check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost)); });
  }

 private:
  static constexpr int kDevice = 0;

  void* stream() const { return static_cast<cudaStream_t>(stream_); }

  Buffers restore(const Case& c, Runnable& runnable) {
    const Buffers buffers = input_.restore(c.layout);
    runnable.set_up(buffers);
    return buffers;
  }

  /// Runs the sort, and finds a CUDA error that it left unread.
  Buffers run(Runnable& runnable, const Buffers& buffers, PhaseTimer& phases) {
    const Buffers output = runnable.run(buffers, phases);
    if (const cudaError_t left = cudaPeekAtLastError(); left != cudaSuccess) {
      throw SortAtFault(ReasonCode::cuda_error, std::string{"left a CUDA error unread: "} + cudaGetErrorString(left));
    }
    return output;
  }

  /// Waits for the sort's stream, and then for the whole device, on which nothing of the sort may go on.
  void wait_for_the_sort(const Case& c) {
    check(cudaStreamSynchronize(stream_));
    device_idle_.wait(c);
  }

  /// Queues what a sort needs: its input and a flushed L2 cache. A whole sort's is queued behind the hold, and its
  /// arrays hold other bytes until then, so that work on any other stream begins before its input is there, and is
  /// found wrong.
  Buffers make_ready(const Case& c, Runnable& runnable, bool held) {
    const bool waits = !held || c.component != nullptr;
    if (held && !waits) {
      input_.spoil();
      hold_.begin(stream_);
    }
    const Buffers buffers = restore(c, runnable);
    check(cudaMemsetAsync(flushed_.data(), 0, flushed_.size(), stream_));
    if (waits) check(cudaStreamSynchronize(stream_));
    if (held && waits) hold_.begin(stream_);
    return buffers;
  }

  bool can_be_held(const Case& c) const {
    return !c.algorithm->synchronises(c.parameters) && !never_held_.contains(&c);
  }

  /// Runs the sort with an event at each phase's begin and end, held as the timed sort is, and verifies it.
  void sort_with_phases(const Case& c, Runnable& runnable, PhaseTimer& phases, const Doing& doing) {
    for (const bool held : {can_be_held(c), false}) {
      doing(Step::restoring);
      const Buffers buffers = make_ready(c, runnable, held);
      doing(Step::sorting);
      phases.reset();
      phase_clock_.turn_on();
      const Buffers output = run_held(runnable, buffers, phases);
      const bool in_time = !held || hold_.end();
      wait_for_the_sort(c);
      phase_clock_.turn_off(phases);
      if (!in_time) continue;
      doing(Step::verifying);
      const Verification verification = verify(c, runnable, {0, output});
      if (!verification.ok()) throw WrongOutput("in the sort whose phases are read: " + verification.reason);
      return;
    }
  }

  Buffers run_held(Runnable& runnable, const Buffers& buffers, PhaseTimer& phases) {
    try {
      return run(runnable, buffers, phases);
    } catch (...) {
      hold_.end();
      throw;
    }
  }

  TimedSort timed(const Case& c, Runnable& runnable, const Doing& doing) {
    // To load a kernel at its first launch, the driver waits for the device. The hold then ends by itself, and the next
    // try finds the kernel loaded.
    constexpr int tries = 2;
    if (can_be_held(c)) {
      for (int i = 0; i < tries; ++i) {
        if (const auto result = timed(c, runnable, doing, true)) return *result;
      }
      never_held_.insert(&c);
    }
    return *timed(c, runnable, doing, false);
  }

  /// Times one sort. Returns nullopt if `held` and the hold ended before all launches were queued.
  std::optional<TimedSort> timed(const Case& c, Runnable& runnable, const Doing& doing, bool held) {
    doing(Step::restoring);
    allocations_.start();
    const Buffers buffers = make_ready(c, runnable, held);
    doing(Step::sorting);
    PhaseTimer no_phases(1, &phase_clock_);
    TimedSort result;
    const ThreadsAt before = ThreadsAt::now(&sleeper_);
    begin_.record(stream_);
    result.outputs.push_back({0, run_held(runnable, buffers, no_phases)});
    end_.record(stream_);
    const bool in_time = hold_.end();
    wait_for_the_sort(c);
    const double stopped_s = stood_still_s(before, ThreadsAt::now(&sleeper_));
    clock_.watch(stream_);
    check(cudaStreamSynchronize(stream_));
    if (held && !in_time) return std::nullopt;
    result.time.seconds = std::max(seconds_between(begin_, end_), 1e-9);
    result.clock_hz = clock_.hz();
    result.time.disturbance.device_share = std::min(1.0, result.clock_hz / facts_.clock_hz);
    // All launches of a held sort are queued before it begins.
    if (!held) result.time.disturbance.stopped_share = std::min(1.0, stopped_s / result.time.seconds);
    result.facts.held = held;
    result.facts.allocated_bytes = allocations_.bytes();
    return result;
  }

  DeviceFacts facts_;
  Stream stream_;
  StreamClock phase_clock_;
  DeviceClock clock_;
  Event begin_;
  Event end_;
  StreamHold hold_;
  DeviceIdle device_idle_;
  DeviceAllocations allocations_{kDevice};
  const Sleeper sleeper_{};
  DeviceInput input_;
  DeviceMemory flushed_;                     ///< as large as the L2 cache
  std::set<const Case*> never_held_;         ///< cells whose launches do not fit into the stream's queue
  std::map<const Case*, int> phases_taken_;  ///< number of sorts that each cell ran for its phases
};

}  // namespace

std::unique_ptr<Testbed> make_device_testbed(const Case& c) {
  return guarded([&] { return std::make_unique<DeviceTestbed>(c); });
}

}  // namespace sortlab
