// Sorts on the host's processors, timed by the steady clock.
#include "core/affinity.hpp"
#include "harness/cell/problem.hpp"
#include "harness/machine/clock.hpp"
#include "harness/machine/free_cores.hpp"
#include "harness/measure/counted_call.hpp"
#include "harness/measure/testbed.hpp"
#include "harness/measure/timed_call.hpp"

namespace sortlab {
namespace {

/// Calls `f`. A single-threaded sort is bound to its processor. Multi-threaded sorts run unbound, since the threads
/// that a library starts would inherit the binding and keep it. Plug-ins that can bind their own threads receive the
/// processors.
template <class F>
auto bound(const Resources& resources, F&& f) {
  std::optional<Pinned> pinned;
  if (resources.threads == 1) pinned.emplace(resources.cpus);
  return f();
}

class HostTestbed final : public Testbed {
 public:
  HostTestbed(const Case& c, const std::vector<Layout>& layouts, WorkerResources& worker)
      : worker_(worker), input_(c, layouts, worker.memory, static_cast<int>(worker.cpus.size())) {}

  std::optional<double> entropy_bits() const override { return input_.entropy_bits(); }

  Resources resources(const Case& c) const override {
    const auto threads = std::min(static_cast<std::size_t>(c.threads), worker_.cpus.size());
    const auto first = worker_.cpus.begin();
    return {.threads = c.threads, .cpus = {first, first + static_cast<std::ptrdiff_t>(threads)}};
  }

  PhaseTimer phase_timer(const Case& c) override { return PhaseTimer(c.threads); }

  std::unique_ptr<Runnable> prepare(const Case& c) override {
    return bound(resources(c), [&] { return sortlab::prepare(c, resources(c)); });
  }

  void warm_up(const Case& c, Runnable& runnable, PhaseTimer& phases, const Doing& doing) override {
    doing(Step::restoring);
    const Buffers buffers = restore(c, runnable);
    doing(Step::warming_up);
    phases.reset();
    bound(resources(c), [&] { runnable.run(buffers, phases); });
  }

  TimedSort sort(const Case& c, Runnable& runnable, PhaseTimer& phases, const Doing& doing) override {
    TimedSort result;
    doing(Step::idle);  // no cell is charged for waiting for cores
    const double waited_s = free_cores_.waited_s();
    result.time.core_share = bound(resources(c), [&] { return free_cores_.share(resources(c).cpus); });
    result.waited_s = free_cores_.waited_s() - waited_s;
    doing(Step::restoring);
    bound(resources(c), [&] { read_clock(); });
    result.clock_hz = clock_hz_;
    const Buffers buffers = restore(c, runnable);
    doing(Step::sorting);
    const bool has_phases = !phase_names(c).empty();
    bound(resources(c), [&] {
      if (has_phases) phases.reset();  // otherwise the sort's time would include fetching the timer into the cache
      Counters* const counters = worker_.counters.counters.get();
      if (counters != nullptr) counters->start();
      result.time.seconds = timed_call([&] {
        if (has_phases) phases.reset();  // phases are relative to the begin of the sort
        result.output = runnable.run(buffers, phases);
      });
      if (counters != nullptr) result.counters = counters->stop();
      if (const auto own = runnable.own_seconds()) {
        result.time.seconds = std::max(*own, 1e-9);
        result.counters.clear();  // the counters count this process only
      }
    });
    if (c.threads == 1) {
      const double after = bound(resources(c), [&] { return free_cores_.share_of_this_one(); });
      result.time.core_share = std::min(result.time.core_share, after);
    }
    return result;
  }

  std::optional<ProfiledSort> profiled_sort(const Case& c, Runnable& runnable, const std::string& /*label*/,
                                            const std::function<bool(std::int64_t)>& /*shown*/) override {
    ProfiledSort sort;
    const Buffers buffers = restore(c, runnable);
    ReadingClock clock(worker_.counters.counters.get());
    PhaseTimer phases(c.threads, &clock);
    sort.output = bound(resources(c), [&] { return counted_call(runnable, buffers, phases, clock); });
    for (const std::vector<PhaseSpan>& lane : phases.lanes()) {
      sort.spans.insert(sort.spans.end(), lane.begin(), lane.end());
    }
    sort.readings = clock.readings();
    sort.between = clock.take();
    return sort;
  }

  Verification verify(const Case& c, Runnable& runnable, const Buffers& output) override {
    const Buffers finished = runnable.finish(output);
    const Postcondition wanted = runnable.postcondition();
    Problem problem = case_problem(c);
    problem.layout = wanted.layout;
    return sortlab::verify(input_.digest(), finished, problem, wanted.stable, input_.threads(), wanted.order);
  }

  Buffers input(const Case& c) override { return input_.restore(c.layout); }

 private:
  Buffers restore(const Case& c, Runnable& runnable) {
    const Buffers buffers = input_.restore(c.layout);
    bound(resources(c), [&] { runnable.set_up(buffers); });
    return buffers;
  }

  /// Reads the clock at most 20 times a second, since clocks change more slowly.
  void read_clock() {
    using Clock = std::chrono::steady_clock;
    if (clock_hz_ > 0 && Clock::now() - clock_read_ < std::chrono::milliseconds{50}) return;
    clock_hz_ = measured_clock_hz();
    clock_read_ = Clock::now();
  }

  WorkerResources& worker_;
  BlockInput input_;
  FreeCores free_cores_;
  double clock_hz_ = 0;
  std::chrono::steady_clock::time_point clock_read_{};
};

}  // namespace

std::unique_ptr<Testbed> make_host_testbed(const Case& c, const std::vector<Layout>& layouts, WorkerResources& worker) {
  return std::make_unique<HostTestbed>(c, layouts, worker);
}

}  // namespace sortlab
