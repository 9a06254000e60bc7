// Sorts on the host's processors, timed by RawClock.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "core/affinity.hpp"
#include "core/pair_bytes.hpp"
#include "core/raw_clock.hpp"
#include "harness/cell/problem.hpp"
#include "harness/machine/clock.hpp"
#include "harness/machine/core_distance.hpp"
#include "harness/machine/ended_threads.hpp"
#include "harness/machine/thread_times.hpp"
#include "harness/measure/allocations.hpp"
#include "harness/measure/binding.hpp"
#include "harness/measure/caller_state.hpp"
#include "harness/measure/counted_call.hpp"
#include "harness/measure/impossible_time.hpp"
#include "harness/measure/scratch_pages.hpp"
#include "harness/measure/sleeper.hpp"
#include "harness/measure/strikes.hpp"
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

/// Patience with the threads of earlier sorts: those of a team spin for some 0.1 ms before they sleep.
constexpr std::chrono::milliseconds kUntilAsleep{50};
/// Patience with a sort's own threads until they sleep once it has returned, on a machine that others use too.
constexpr std::chrono::milliseconds kUntilOver{1000};

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
    if (c.threads > 1 && !sleeper_) sleeper_.emplace();
    const std::uint64_t failed = failed_bindings();
    scratch_.erase(&c);
    kept_.erase(&c);
    const ScratchPages::Watch watch{scratch_[&c]};
    auto runnable = bound(resources(c), [&] { return sortlab::prepare(c, resources(c)); });
    if (failed_bindings() != failed) unbound_.insert(&c);  // threads that it keeps from sort to sort
    return runnable;
  }

  void make_inputs(const std::vector<std::uint64_t>& numbers) override { input_.make(numbers); }
  std::optional<std::string> damage() override { return input_.damage(); }
  std::optional<Reason> lasting_harm() override {
    if (!wait_until_alone(kUntilOver)) return Reason{ReasonCode::still_working, "its threads still run"};
    if (const auto found = damage())
      return Reason{ReasonCode::outside_arrays, "it wrote outside its arrays: " + *found};
    if (!input_.is_intact()) {
      return Reason{ReasonCode::original_overwritten, "it overwrote the original of its input"};
    }
    return std::nullopt;
  }
  std::uint64_t seed() const override { return input_.seed(0); }
  InputDigest digest() const override { return input_.digest(0); }

  TimedSort warm_up(const Case& c, Runnable& runnable, PhaseTimer& phases, const Doing& doing) override {
    TimedSort result;
    const ScratchPages::Watch watch{scratch_[&c]}, kept{kept_[&c]};
    doing(Step::restoring);
    const Buffers buffers = restore(c, runnable, 1).front();
    doing(Step::warming_up);
    phases.reset();
    bound(resources(c), [&] {
      const CallerState state = CallerState::now();
      result.time.seconds = timed_call([&] { result.outputs.push_back({0, runnable.run(buffers, phases)}); });
      changed_ = state.changed();
    });
    if (changed_) throw SortAtFault(ReasonCode::caller_changed, "changed " + *changed_);
    if (const auto own = own_seconds(c, runnable, result.time.seconds)) result.time.seconds = *own;
    return result;
  }

  TimedSort sort(const Case& c, Runnable& runnable, PhaseTimer& phases, const SampleSetting& setting,
                 const Doing& doing) override {
    TimedSort result;
    const ScratchPages::Watch watch{scratch_[&c]}, kept{kept_[&c]};
    doing(Step::idle);  // no cell is charged for waiting for cores
    const double waited_s = worker_.free_cores.waited_s();
    result.time.disturbance.core_share =
        bound(resources(c), [&] { return worker_.free_cores.share(resources(c).cpus); });
    result.waited_s = worker_.free_cores.waited_s() - waited_s;
    if (c.threads > 1) {
      const std::vector<int> cpus = resources(c).cpus;
      if (cpus.size() > 1) result.facts.distance_s = core_distance_s(cpus[0], cpus[1]);
      result.facts.shares_core = worker_.free_cores.shares_core();
    }
    doing(Step::restoring);
    worker_.interrupts.begin();
    bound(resources(c), [&] { read_clock(); });
    result.clock_hz = clock_hz_;
    const std::vector<Buffers> buffers = restore(c, runnable, setting.batch + (setting.primed ? 1 : 0));
    result.facts.batch = setting.batch;
    alone_before_ = wait_until_alone(kUntilAsleep);
    faults_before_ = page_faults();
    children_before_ = child_processes();
    others_before_s_ = others_processor_s();
    read_before(c);
    caller_begun_s_ = caller_processor_s();
    doing(Step::sorting);
    bound(resources(c), [&] { take(c, runnable, phases, setting, buffers, result); });
    return result;
  }

  SortedInput repeat(const Case& c, Runnable& runnable, int times, bool sorts) override {
    PhaseTimer unread(c.threads, &no_clock_);
    SortedInput last;
    for (int done = 0; done < times;) {
      const int count = std::min(input_.count(), times - done);
      const std::vector<Buffers> buffers = restore(c, runnable, count);
      bound(resources(c), [&] {
        for (int i = 0; sorts && i < count; ++i) {
          unread.reset();
          last = {i, runnable.run(buffers[static_cast<std::size_t>(i)], unread)};
        }
      });
      done += count;
    }
    return last;
  }

  std::optional<ProfiledSort> profiled_sort(const Case& c, Runnable& runnable, const std::string& /*label*/,
                                            const std::function<bool(std::int64_t)>& /*shown*/) override {
    ProfiledSort sort;
    const Buffers buffers = restore(c, runnable, 1).front();
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

  Verification verify(const Case& c, Runnable& runnable, const SortedInput& sorted) override {
    const Buffers finished = runnable.finish(sorted.output);
    const Postcondition wanted = runnable.postcondition();
    Problem problem = case_problem(c);
    problem.layout = wanted.layout;
    // aftermath() counts other threads' time after sorts of few elements.
    const int threads = is_large(c) ? input_.threads() : 1;
    return sortlab::verify(input_.digest(sorted.input), finished, problem, wanted.stable, threads, wanted.order);
  }

  std::optional<Reason> aftermath(const Case& c, TimedSort& sorted) override {
    // Nothing of a sort of one thread may go on at all; the threads of a team may look for more work before they sleep.
    constexpr double accounting_s = 20e-6;
    const bool went_on = alone_before_ && others_processor_s() - others_after_s_ > accounting_s;
    if (c.threads == 1 && !is_large(c) && strikes_.is_third(c, went_on)) {
      throw SortAtFault(ReasonCode::still_working, "returned while another thread still worked");
    }
    if (!wait_until_alone(kUntilOver))
      throw SortAtFault(ReasonCode::still_working, "returned while its threads still run");
    if (child_processes() > children_before_)
      throw SortAtFault(ReasonCode::still_working, "returned while a process that it started still runs");
    if (changed_) throw SortAtFault(ReasonCode::caller_changed, "changed " + *changed_);
    if (!is_large(c)) {  // others sleep now, as they did before: their time is accounted for to the end
      const bool alone = c.threads == 1;
      const double caller_s = alone ? caller_worked_s_ : caller_processor_s() - caller_begun_s_;
      sorted.facts.others_s = others_processor_s() - others_before_s_;
      sorted.facts.processor_s = sorted.facts.others_s + caller_s;
      sorted.facts.window_s = alone ? caller_worked_s_ : seconds_since(begun_);
    }
    sorted.facts.affinity = binding_.cpus;
    scratch_[&c].judge(worker_.huge_pages, input_.huge_page_share(c.layout), sorted.time.disturbance);
    sorted.time.disturbance.elsewhere = !binding_.held;
    sorted.facts.page_faults = (faults_after_ - faults_before_) / sorted.facts.batch;
    read_delays(c, sorted.time.disturbance);
    if (c.threads == 1 && c.algorithm->info().times_itself) read_own_delays(c, sorted.time);
    if (c.threads == 1 && is_large(c)) {  // a neighbour may have come after the test before the sort
      const double after = bound(resources(c), [&] { return FreeCores::share_of_this_one(); });
      double& share = sorted.time.disturbance.core_share;
      share = std::min(share, after);
    }
    sorted.time.disturbance.interrupts_per_s =
        bound(resources(c), [&] { return worker_.interrupts.end(resources(c).cpus); });
    // A processor that saves power needs a while to reach its clock: the higher of the two readings is a long sort's.
    bound(resources(c), [&] { read_clock(); });
    sorted.clock_hz = std::max(sorted.clock_hz, clock_hz_);
    return impossible_time(c, sorted.time.seconds, c.threads, sorted.clock_hz);
  }

  std::optional<TimedSort> called_from_a_program(const Case& c, PhaseTimer& phases, const Doing& doing) override {
    if (c.component != nullptr || c.algorithm->info().times_itself) return std::nullopt;
    doing(Step::restoring);
    worker_.interrupts.begin();
    const Buffers buffers = input_.restore(c.layout, 1, random_offset()).front();
    wait_until_alone(kUntilAsleep);
    read_before(c);
    doing(Step::sorting);
    TimedSort result;
    ScratchPages own = kept_[&c];  // the prepared sort's scratch memory is not this call's
    const bool has_pages = scratch_[&c].has_any();
    bound(resources(c), [&] {
      caller_waited_before_s_ = caller_waited_s();
      const double processor_s = caller_processor_s() + others_processor_s();
      double asking_s = 0;
      const double whole_s = timed_call([&] {
        std::optional<ScratchPages::Watch> watch;
        if (has_pages) watch.emplace(own);
        const std::unique_ptr<Runnable> runnable = sortlab::prepare(c, resources(c));
        copy_back(c, runnable->run(buffers, phases), buffers);
        watch.reset();
        if (!has_pages) return;
        const auto begin = RawClock::now();
        own.share();  // while the memory is there
        asking_s = seconds_since(begin);
      });
      result.time.seconds = std::max(whole_s - asking_s, 1e-9);
      idle_s_ = whole_s - (caller_processor_s() + others_processor_s() - processor_s);
      read_after(c);
    });
    wait_until_alone(kUntilOver);
    read_delays(c, result.time.disturbance);
    result.time.disturbance.interrupts_per_s = worker_.interrupts.end(resources(c).cpus);
    own.judge(worker_.huge_pages, input_.huge_page_share(c.layout), result.time.disturbance);
    result.outputs.push_back({0, buffers});
    return result;
  }

  Buffers input(const Case& c) override { return input_.restore(c.layout, 1, 0).front(); }

 private:
  static double seconds_since(RawClock::time_point begin) {
    return std::chrono::duration<double>(RawClock::now() - begin).count();
  }

  std::vector<Buffers> restore(const Case& c, Runnable& runnable, int count) {
    std::vector<Buffers> buffers = input_.restore(c.layout, count, random_offset());
    bound(resources(c), [&] {
      for (const Buffers& of_input : buffers) runnable.set_up(of_input);
    });
    return buffers;
  }

  /// Begin of the arrays in a page, in bytes: drawn for each sample, since some sorts are slower at some offsets.
  std::uint64_t random_offset() { return offsets_() % GuardedMemory::kPage; }

  /// The timed part of sort(), on the processors of the case.
  void take(const Case& c, Runnable& runnable, PhaseTimer& phases, const SampleSetting& setting,
            const std::vector<Buffers>& buffers, TimedSort& result) {
    const bool has_phases = !phase_names(c).empty();
    const auto batch = static_cast<std::size_t>(setting.batch);
    result.outputs.reserve(batch + 1);
    std::vector<Buffers> outputs(batch);
    if (has_phases) phases.reset();  // or the sort's time would include fetching the timer into the cache
    clear_allocations();
    const CallerState state = CallerState::now();
    const std::uint64_t failed = failed_bindings();
    caller_waited_before_s_ = caller_waited_s();
    if (setting.primed) {
      // The inputs that are timed next are not there yet, so that nothing of their work can be done ahead.
      for (std::size_t i = 0; i < batch; ++i) input_.hide(buffers[i]);
      const Buffers output = runnable.run(buffers[batch], phases);
      if (input_.is_ours(output.keys)) result.outputs.push_back({setting.batch, output});
      for (std::size_t i = 0; i < batch; ++i) input_.fill(static_cast<int>(i), buffers[i]);
    }
    // The phases of a batch are those of the sort before it: a clock's reading would be part of each small sort's time.
    // A timed sort's are its own: the lanes of many threads are cleared here, outside its time.
    if (has_phases && batch == 1) phases.reset();
    PhaseTimer unread(c.threads, &no_clock_);
    PhaseTimer& timer = batch > 1 ? unread : phases;
    Counters* const counters = worker_.counters.counters.get();
    const double others_s = others_processor_s();
    const std::int64_t read_before = pages_read();
    const double caller_s = caller_processor_s();
    const auto reading = RawClock::now();
    if (counters != nullptr) counters->start();
    result.time.seconds = timed_call([&] {
      start_counting_allocations();
      for (std::size_t i = 0; i < batch; ++i) outputs[i] = runnable.run(buffers[i], timer);
      stop_counting_allocations();
    });
    if (counters != nullptr) result.counters = counters->stop();
    idle_s_ = result.time.seconds - (caller_processor_s() - caller_s);
    others_after_s_ = others_processor_s();
    idle_s_ -= others_after_s_ - others_s;
    result.facts.allocations = counted_allocations();
    // A sort of one thread may use no other at all. Beside its own work theirs shows however long it waited.
    caller_worked_s_ = caller_processor_s() - caller_begun_s_;
    result.facts.window_s = c.threads == 1 ? caller_worked_s_ : seconds_since(reading);
    result.facts.others_s = others_after_s_ - others_s;
    result.facts.processor_s = result.facts.others_s + caller_worked_s_;
    read_after(c);
    faults_after_ = page_faults();
    result.time.disturbance.pages_read = pages_read() - read_before;
    binding_ = compare_bindings(resources(c).cpus, c.threads == 1,
                                {.before = state.cpus(),
                                 .after = allowed_cpus(),
                                 .refused = unbound_.contains(&c) || failed_bindings() != failed});
    changed_ = state.changed();
    if (result.facts.allocations) *result.facts.allocations /= batch;
    result.facts.in_place = input_.is_ours(outputs.back().keys);
    for (std::size_t i = 0; i < batch; ++i) {
      if (i + 1 == batch || input_.is_ours(outputs[i].keys)) {
        result.outputs.push_back({static_cast<int>(i), outputs[i]});
      }
    }
    result.time.seconds /= setting.batch;
    for (auto& [name, count] : result.counters) count /= setting.batch;
    if (const auto own = own_seconds(c, runnable, result.time.seconds)) {
      result.time.seconds = *own;
      result.counters.clear();  // they are of this process
    }
  }

  /// The time that a sort in its own process took, which is part of the time of our call.
  static std::optional<double> own_seconds(const Case& c, const Runnable& runnable, double called_s) {
    const auto own = runnable.own_seconds();
    if (!own || !c.algorithm->info().times_itself) return std::nullopt;
    if (!(*own >= 0 && *own <= called_s))
      throw SortAtFault(ReasonCode::own_time, fmt::format("says that it took {:.3g} s of {:.3g}", *own, called_s));
    return std::max(*own, 1e-9);
  }

  /// Reads, before a sort, what delays threads.
  void read_before(const Case& c) {
    before_ = ThreadsAt::now(sleeper_ ? &*sleeper_ : nullptr);
    if (is_large(c)) taken_before_s_ = taken_s(resources(c).cpus);
    throttled_before_s_ = worker_.throttling.seconds();
    ended_waited_before_s_ = ended_threads_waited_s();
    if (c.algorithm->info().times_itself) children_before_times_ = children_times();
    begun_ = RawClock::now();
  }

  /// Reads it again, after the sort.
  void read_after(const Case& c) {
    caller_waited_after_s_ = caller_waited_s();
    ended_waited_s_ = ended_threads_waited_s() - ended_waited_before_s_;
    took_s_ = seconds_since(begun_);
    children_waited_s_ =
        c.algorithm->info().times_itself ? children_times().waited_s - children_before_times_.waited_s : 0;
    if (sleeper_) stood_still_s_ = stood_still_s(before_, ThreadsAt::now(&*sleeper_));
    throttled_after_s_ = worker_.throttling.seconds();
    if (is_large(c)) taken_after_s_ = taken_s(resources(c).cpus);
  }

  /// The shares of the last sort's time for which it was delayed. Its other threads sleep.
  void read_delays(const Case& c, Disturbance& disturbance) const {
    // Threads beyond those that it was given may have waited, too, and a quota stops other processes of its group.
    const double threads_s = c.threads * took_s_;
    disturbance.waited_share = std::min(1.0, waited_s(c) / threads_s);
    disturbance.throttled_share = std::min(1.0, (throttled_after_s_ - throttled_before_s_) / threads_s);
    disturbance.stopped_share = std::min(1.0, stopped_s(c) / took_s_);
  }

  /// The shares of its own time for which a sort of one thread in a process of its own was delayed. Before and after
  /// that time its process and ours wait for each other's processor, so only waiting counts for which the process lacks
  /// work. It sleeps now, so that the kernel tells all that it has worked.
  void read_own_delays(const Case& c, TimedSample& sample) const {
    const ChildrenTimes now = children_times();
    const double own_s = sample.seconds;
    const double idle_s = std::max(0.0, own_s - (now.worked_s - children_before_times_.worked_s));
    const double waited_s = std::min(idle_s, now.waited_s - children_before_times_.waited_s);
    sample.disturbance.waited_share = std::min(1.0, (waited_s + without_processors_s(c)) / own_s);
    const double stopped_s = idle_s - waited_s - (throttled_after_s_ - throttled_before_s_);
    sample.disturbance.stopped_share = stopped_s > least_stop_s(own_s) ? std::min(1.0, stopped_s / own_s) : 0;
  }

  /// The shortest time without work that counts as a stop of a sort that takes `took_s`.
  static double least_stop_s(double took_s) { return std::clamp(0.05 * took_s, 0.1e-3, 5e-3); }

  /// Seconds that the last sort's threads waited for processors: in our system's queue and, where the sort took long
  /// enough to tell, for interrupts to end and in the queue of the machine's host.
  double waited_s(const Case& c) const {
    // The other threads slept since the sort returned, so what they waited before is the sort's.
    const double others_s =
        ThreadTimes::now().waited_s() - caller_waited_s() - (before_.threads.waited_s() - caller_waited_before_s_);
    double waited_s = std::max(0.0, others_s) + caller_waited_after_s_ - caller_waited_before_s_;
    waited_s += std::max(0.0, children_waited_s_);
    // Threads that a sort makes for one call may be more than its processors, and wait for each other while all of
    // these work. What its processors lack in work, others took.
    const double lacking_s = (c.threads - 1) * took_s_ + idle_s_;
    waited_s += std::clamp(ended_waited_s_, 0.0, std::max(0.0, lacking_s));
    return waited_s + without_processors_s(c);
  }

  /// Seconds for which interrupts or the machine's host took the last sort's processors, where it took long enough to
  /// tell.
  double without_processors_s(const Case& c) const {
    constexpr int enough_steps = 10;
    return is_large(c) && took_s_ > enough_steps * kTakenStep_s ? taken_after_s_ - taken_before_s_ : 0;
  }

  /// Seconds for which something stopped the last sort, at most. A sort of one thread was stopped while it neither
  /// worked nor waited; a sleep that is short beside it does not tell. Of a sort of several threads the sleeper tells.
  double stopped_s(const Case& c) const {
    if (c.threads > 1) return stood_still_s_;
    if (c.algorithm->info().times_itself) return 0;  // read_own_delays() tells
    const double stopped_s = idle_s_ - waited_s(c) - (throttled_after_s_ - throttled_before_s_);
    return stopped_s > least_stop_s(took_s_) ? stopped_s : 0;
  }

  /// True if several threads verify the output, whose time is not the sort's.
  static bool is_large(const Case& c) { return c.n > kMaxPrimedElements; }

  /// Moves a result that lies in scratch memory into the arrays of the input.
  static void copy_back(const Case& c, const Buffers& output, const Buffers& into) {
    const auto copy = [](const Array& from, const Array& to, std::uint64_t bytes) {
      if (from.data != to.data && bytes > 0) std::memcpy(to.data, from.data, bytes);
    };
    const bool pairs = c.layout == Layout::together && c.value != ValueType::none;
    copy(output.keys, into.keys, c.n * (pairs ? pair_bytes(c.key, c.value) : byte_size(c.key)));
    if (!pairs) copy(output.values, into.values, c.n * byte_size(c.value));
    copy(output.bytes, into.bytes, into.bytes.count);
  }

  /// Reads the clock, at most 20 times a second, since it changes more slowly than that.
  void read_clock() {
    if (clock_hz_ > 0 && RawClock::now() - clock_read_ < std::chrono::milliseconds{50}) return;
    clock_hz_ = measured_clock_hz();
    clock_read_ = RawClock::now();
  }

  /// A clock that is never read: for sorts whose phases do not count.
  struct NoClock final : PhaseClock {
    std::int64_t read(int /*lane*/) override { return 0; }
  };

  WorkerResources& worker_;
  BlockInput input_;
  NoClock no_clock_;
  std::mt19937_64 offsets_{std::random_device{}()};
  double clock_hz_ = 0;
  RawClock::time_point clock_read_{};
  Strikes strikes_;
  std::optional<Sleeper> sleeper_;               ///< from the first sort of several threads on
  std::set<const Case*> unbound_;                ///< cases whose sorters could not bind their threads
  std::map<const Case*, ScratchPages> scratch_;  ///< made while the sort was prepared or ran
  std::map<const Case*, ScratchPages> kept_;     ///< made while it ran, as what it keeps from call to call
  // Readings around the last sort:
  ThreadsAt before_;
  double stood_still_s_ = 0;
  double throttled_before_s_ = 0;
  double throttled_after_s_ = 0;
  double taken_before_s_ = 0;
  double taken_after_s_ = 0;
  std::int64_t faults_before_ = 0;
  int children_before_ = 0;
  bool alone_before_ = false;  ///< no other thread of this process ran
  std::optional<std::string> changed_;
  Binding binding_;
  RawClock::time_point begun_;
  double took_s_ = 1;
  double caller_begun_s_ = 0;  ///< processor time of the calling thread
  double caller_worked_s_ = 0;
  double idle_s_ = 0;  ///< time of the timed sorts without the processor time of all threads
  ChildrenTimes children_before_times_;
  double children_waited_s_ = 0;  ///< during the last sort, which a process of its own did
  double caller_waited_before_s_ = 0;
  double caller_waited_after_s_ = 0;
  double ended_waited_before_s_ = 0;
  double ended_waited_s_ = 0;  ///< threads' that ended during the last sort
  double others_before_s_ = 0;
  double others_after_s_ = 0;
  std::int64_t faults_after_ = 0;
};

}  // namespace

std::unique_ptr<Testbed> make_host_testbed(const Case& c, const std::vector<Layout>& layouts, WorkerResources& worker) {
  return std::make_unique<HostTestbed>(c, layouts, worker);
}

}  // namespace sortlab
