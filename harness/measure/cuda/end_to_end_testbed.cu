// Sorts of host arrays on a CUDA device, timed by the host's steady clock from the call until the sorted result is
// back: copy, sort, and copy back. Caches are in the state after restoring the input. A sort that runs on both
// processors makes its own copies, and gets the host's threads and a phase timer.
#include <map>
#include <optional>
#include <set>
#include <string>

#include "algorithms/common/adapters/end_to_end.hpp"
#include "core/affinity.hpp"
#include "core/cuda/stream_hold_and_clock.hpp"
#include "harness/cell/problem.hpp"
#include "harness/machine/free_cores.hpp"
#include "harness/measure/binding.hpp"
#include "harness/measure/cuda/device_facts.hpp"
#include "harness/measure/cuda/device_idle.hpp"
#include "harness/measure/cuda/end_to_end_input.hpp"
#include "harness/measure/cuda/guarded.hpp"
#include "harness/measure/cuda/stream_clock.hpp"
#include "harness/measure/impossible_time.hpp"
#include "harness/measure/scratch_pages.hpp"
#include "harness/measure/sleeper.hpp"
#include "harness/measure/timed_call.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {
namespace {

class EndToEndTestbed final : public Testbed {
 public:
  EndToEndTestbed(const Case& c, WorkerResources& worker)
      : facts_(query_device_facts(kDevice)),
        cpus_(worker.cpus),
        free_cores_(worker.free_cores),
        throttling_(worker.throttling),
        huge_pages_(worker.huge_pages),
        input_(c, stream_, facts_.memory_bytes),
        no_phases_(stream_) {
    making_.reset();
  }

  std::optional<double> entropy_bits() const override { return input_.entropy_bits(); }
  std::optional<DeviceFacts> device() const override { return facts_; }
  std::optional<DeviceIdentity> device_identity() const override { return query_device_identity(kDevice); }
  Resources resources(const Case& c) const override {
    if (!runs_on_both(c)) return {.threads = 1, .cpus = {}, .stream = stream()};
    const auto threads = std::min(static_cast<std::size_t>(c.threads), cpus_.size());
    return {.threads = c.threads,
            .cpus = {cpus_.begin(), cpus_.begin() + static_cast<std::ptrdiff_t>(threads)},
            .stream = stream()};
  }
  PhaseTimer phase_timer(const Case& c) override {
    return runs_on_both(c) ? PhaseTimer(c.threads) : PhaseTimer(1, &no_phases_);
  }

  std::unique_ptr<Runnable> prepare(const Case& c) override {
    return guarded([&] {
      const std::uint64_t failed = failed_bindings();
      scratch_.erase(&c);
      const ScratchPages::Watch watch{scratch_[&c]};
      auto runnable = runs_on_both(c) ? sortlab::prepare(c, resources(c)) : copied_around(c);
      if (failed_bindings() != failed) unbound_.insert(&c);  // threads that it keeps from sort to sort
      check(cudaStreamSynchronize(stream_));
      return runnable;
    });
  }

  void make_inputs(const std::vector<std::uint64_t>& numbers) override {
    guarded([&] { input_.make(numbers.front()); });
  }
  std::uint64_t seed() const override { return input_.seed(); }
  InputDigest digest() const override { return input_.digest(); }

  TimedSort warm_up(const Case& c, Runnable& runnable, PhaseTimer& phases, const Doing& doing) override {
    return guarded([&] {
      const ScratchPages::Watch watch{scratch_[&c]};
      doing(Step::restoring);
      const Buffers buffers = restore(runnable);
      doing(Step::warming_up);
      phases.reset();
      TimedSort result;
      result.time.seconds = 1;  // not measured
      result.outputs.push_back({0, runnable.run(buffers, phases)});
      return result;
    });
  }

  TimedSort sort(const Case& c, Runnable& runnable, PhaseTimer& phases, const SampleSetting&,
                 const Doing& doing) override {
    return guarded([&] {
      TimedSort result;
      const ScratchPages::Watch watch{scratch_[&c]};
      if (runs_on_both(c)) {
        doing(Step::idle);  // no cell is charged for waiting for cores
        const double waited_s = free_cores_.waited_s();
        result.time.disturbance.core_share = free_cores_.share(resources(c).cpus);
        result.waited_s = free_cores_.waited_s() - waited_s;
      }
      doing(Step::restoring);
      const Buffers buffers = restore(runnable);
      doing(Step::sorting);
      phases.reset();
      const ThreadsAt before = ThreadsAt::now(&sleeper_);
      const double throttled_s = throttling_.seconds();
      const std::uint64_t failed = failed_bindings();
      Bindings seen{.before = allowed_cpus()};
      result.time.seconds = timed_call([&] {
        phases.reset();  // their origin is the begin of the sort
        result.outputs.push_back({0, runnable.run(buffers, phases)});
      });
      result.time.disturbance.throttled_share =
          std::min(1.0, (throttling_.seconds() - throttled_s) / (resources(c).threads * result.time.seconds));
      result.time.disturbance.stopped_share =
          std::min(1.0, stood_still_s(before, ThreadsAt::now(&sleeper_)) / result.time.seconds);
      seen.after = allowed_cpus();
      seen.refused = unbound_.contains(&c) || failed_bindings() != failed;
      const Binding binding = compare_bindings(resources(c).cpus, false, seen);
      result.facts.affinity = binding.cpus;
      result.time.disturbance.elsewhere = !binding.held;
      device_idle_.wait(c);
      clock_.watch(stream_);
      check(cudaStreamSynchronize(stream_));
      result.clock_hz = clock_.hz();
      result.time.disturbance.device_share = std::min(1.0, result.clock_hz / facts_.clock_hz);
      if (!runs_on_both(c)) phases.reset();  // such sorts report no timed phases
      return result;
    });
  }

  SortedInput repeat(const Case& c, Runnable& runnable, int times, bool sorts) override {
    return guarded([&] {
      PhaseTimer phases = phase_timer(c);
      SortedInput last;
      for (int i = 0; i < times; ++i) {
        const Buffers buffers = restore(runnable);
        phases.reset();
        if (sorts) last = {0, runnable.run(buffers, phases)};
      }
      device_idle_.wait(c);
      return last;
    });
  }

  std::optional<std::string> damage() override { return input_.damage(); }

  std::optional<Reason> aftermath(const Case& c, TimedSort& sorted) override {
    scratch_[&c].judge(huge_pages_, arrays_.share(), sorted.time.disturbance);
    return impossible_time(c, sorted.time.seconds, facts_.multiprocessors, facts_.clock_hz);
  }

  Verification verify(const Case& c, Runnable& runnable, const SortedInput& sorted) override {
    const auto threads = static_cast<int>(allowed_cpus().size());
    const Buffers finished = runnable.finish(sorted.output);
    const Postcondition wanted = runnable.postcondition();
    return sortlab::verify(input_.digest(), finished, case_problem(c), wanted.stable, threads, wanted.order);
  }

  Buffers input(const Case&) override {
    return guarded([&] { return input_.restore(); });
  }

 private:
  static constexpr int kDevice = 0;

  void* stream() const { return static_cast<cudaStream_t>(stream_); }

  static bool runs_on_both(const Case& c) { return c.algorithm->info().runs_on == Processor::both; }

  std::unique_ptr<Runnable> copied_around(const Case& c) {
    auto on_device = c.algorithm->prepare(case_problem(c), c.parameters, resources(c));
    return whole_sort(c, end_to_end(std::move(on_device), case_problem(c), resources(c)));
  }

  Buffers restore(Runnable& runnable) {
    const Buffers buffers = input_.restore();
    runnable.set_up(buffers);
    return buffers;
  }

  DeviceFacts facts_;
  std::set<const Case*> unbound_;  ///< cases whose sorters could not bind their threads
  std::vector<int> cpus_;
  FreeCores& free_cores_;
  const Throttling& throttling_;
  const std::string huge_pages_;  ///< BlockTask::huge_pages
  std::map<const Case*, ScratchPages> scratch_;
  ScratchPages arrays_;                                                ///< arrays that sorts are given
  std::optional<ScratchPages::Watch> making_{std::in_place, arrays_};  ///< empty once input_ is made
  const Sleeper sleeper_{};
  Stream stream_;
  EndToEndInput input_;
  StreamClock no_phases_;  ///< a clock that stays off
  DeviceClock clock_;
  DeviceIdle device_idle_;
};

}  // namespace

std::unique_ptr<Testbed> make_end_to_end_testbed(const Case& c, WorkerResources& worker) {
  return guarded([&] { return std::make_unique<EndToEndTestbed>(c, worker); });
}

}  // namespace sortlab
