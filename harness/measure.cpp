#include "harness/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "algorithms/common/affinity.hpp"
#include "harness/clock.hpp"
#include "harness/stopping_rule.hpp"
#include "harness/timed_call.hpp"

namespace sortlab {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Spans of all lanes by name and pass: from the first begin to the last end.
ordered_json phases_of(const PhaseTimer& timer) {
  std::vector<PhaseSpan> merged;  // in order of first begin, as a reader expects
  for (const auto& lane : timer.lanes()) {
    for (const PhaseSpan& span : lane) {
      const auto same =
          std::ranges::find_if(merged, [&](const PhaseSpan& m) { return m.name == span.name && m.pass == span.pass; });
      if (same == merged.end()) {
        merged.push_back(span);
      } else {
        same->begin_ns = std::min(same->begin_ns, span.begin_ns);
        same->end_ns = std::max(same->end_ns, span.end_ns);
      }
    }
  }
  std::ranges::stable_sort(merged, {}, &PhaseSpan::begin_ns);
  ordered_json phases = ordered_json::array();
  for (const PhaseSpan& span : merged) {
    phases.push_back(
        {span.name, span.pass, static_cast<double>(span.begin_ns) * 1e-9, static_cast<double>(span.end_ns) * 1e-9});
  }
  return phases;
}

ordered_json to_json(const Verification& v) {
  const auto optional = [](const std::optional<bool>& b) { return b ? ordered_json(*b) : ordered_json(); };
  return {{"order", v.order},
          {"multiset", v.multiset},
          {"pairing", optional(v.pairing)},
          {"stability", optional(v.stability)},
          {"digest", v.digest}};
}

/// One cell on its way: its sorter, and what was taken.
struct Runner {
  int index = 0;
  const Cell* cell = nullptr;
  Resources resources;
  std::unique_ptr<Sorter> sorter;
  PhaseTimer phases;
  std::vector<TimedSample> samples;
  double spent_s = 0;
  ordered_json verification;
};

class BlockMeasurement {
 public:
  BlockMeasurement(const BlockTask& task, Workplace& workplace, NowDoing& now, const Tell& tell)
      : task_(task), workplace_(workplace), now_(now), tell_(tell), order_(task.order_seed) {}

  void run() {
    make_input();
    std::size_t next = 0;
    while (next < task_.cells.size()) {
      std::vector<Runner> group;
      for (; next < task_.cells.size(); ++next) {
        Runner runner = begin(next);
        if (prepare(runner, group.empty()) == Prepared::no_room) break;
        if (runner.sorter) group.push_back(std::move(runner));
      }
      take_samples(group);
    }
    now_.begin(NowDoing::kNoCell, Step::idle);
  }

 private:
  enum class Prepared { yes, failed, no_room };

  void make_input() {
    now_.begin(NowDoing::kNoCell, Step::making_input);
    std::set<Layout> layouts;
    for (const Cell& cell : task_.cells) layouts.insert(cell.what.layout);
    input_.emplace(task_.cells.front().what, std::vector(layouts.begin(), layouts.end()), workplace_.memory,
                   static_cast<int>(workplace_.cpus.size()));
    const auto entropy = input_->entropy_bits();
    tell_({{"event", "input"}, {"entropy_bits", entropy ? ordered_json(*entropy) : ordered_json()}});
  }

  Runner begin(std::size_t index) const {
    const Cell& cell = task_.cells[index];
    const auto threads = static_cast<std::size_t>(cell.what.threads);
    const auto& cpus = workplace_.cpus;
    return {.index = static_cast<int>(index),
            .cell = &cell,
            .resources = {.threads = cell.what.threads,
                          .cpus = {cpus.begin(),
                                   cpus.begin() + static_cast<std::ptrdiff_t>(std::min(threads, cpus.size()))}},
            .sorter = nullptr,
            .phases = PhaseTimer(cell.what.threads),
            .samples = task_.samples[index],
            .spent_s = task_.spent_s[index],
            .verification = nullptr};
  }

  /// Calls `f` bound to the cell's processor. Sorts of several threads run unbound, or the threads that a library
  /// starts would inherit the binding and keep it; plug-ins that can bind their own threads are told where.
  template <class F>
  static void bound(const Runner& runner, F&& f) {
    std::optional<Pinned> pinned;
    if (runner.resources.threads == 1) pinned.emplace(runner.resources.cpus);
    f();
  }

  Prepared prepare(Runner& runner, bool alone) {
    const auto start = Clock::now();
    const Case& c = runner.cell->what;
    try {
      now_.begin(runner.index, Step::preparing);
      bound(runner, [&] {
        runner.sorter = c.algorithm->prepare(problem_of(c), runner.cell->what.parameters, runner.resources);
      });
      tell_({{"event", "prepared"},
             {"cell", runner.index},
             {"scratch_bytes", runner.sorter->scratch_bytes()},
             {"affinity", runner.resources.cpus}});
      for (int i = 0; i < runner.cell->protocol.warmup; ++i) {
        now_.begin(runner.index, Step::restoring);
        const Buffers buffers = input_->restore(c.layout);
        now_.begin(runner.index, Step::warming_up);
        runner.phases.reset();
        bound(runner, [&] { runner.sorter->sort(buffers, runner.phases); });
      }
    } catch (const std::bad_alloc&) {
      runner.sorter.reset();
      if (!alone) return Prepared::no_room;
      lose(runner, "failed", fmt::format("out of memory in {}", name_of(now_.step.load())));
      return Prepared::failed;
    } catch (const std::exception& error) {
      runner.sorter.reset();
      lose(runner, "failed", fmt::format("threw in {}: {}", name_of(now_.step.load()), error.what()));
      return Prepared::failed;
    }
    now_.begin(NowDoing::kNoCell, Step::idle);
    runner.spent_s += seconds_since(start);
    return Prepared::yes;
  }

  void take_samples(std::vector<Runner>& group) {
    std::vector<Runner*> active;
    for (Runner& runner : group) active.push_back(&runner);
    while (!active.empty()) {
      std::ranges::shuffle(active, order_);
      std::erase_if(active, [&](Runner* runner) {
        const bool over = ends(*runner) || !sample(*runner);
        if (over) runner->sorter.reset();
        return over;
      });
    }
  }

  /// Whether the cell is over; then the supervisor was told.
  bool ends(const Runner& runner) {
    auto stop = why_stop(runner.cell->protocol, runner.samples, runner.spent_s);
    if (!stop && task_.time_left_s && seconds_since(begun_) > *task_.time_left_s) {
      const auto enough = static_cast<std::size_t>(runner.cell->protocol.min_samples);
      if (runner.cell->protocol.samples || runner.samples.size() < enough) {
        tell_({{"event", "dropped"}, {"cell", runner.index}});
        return true;
      }
      stop = "budget";
    }
    if (!stop) return false;
    tell_({{"event", "done"}, {"cell", runner.index}, {"stopped", *stop}});
    return true;
  }

  /// Takes one sample. False if the cell is lost; then the supervisor was told.
  bool sample(Runner& runner) {
    const auto start = Clock::now();
    const Case& c = runner.cell->what;
    now_.begin(NowDoing::kNoCell, Step::idle);  // waiting for cores is nobody's fault
    double core_share = 1;
    bound(runner, [&] { core_share = free_cores_.share(runner.resources.cpus); });
    now_.begin(runner.index, Step::restoring);
    bound(runner, [&] { read_clock(); });
    const Buffers buffers = input_->restore(c.layout);
    Buffers output;
    double seconds = 0;
    CounterValues counts;
    try {
      now_.begin(runner.index, Step::sorting);
      bound(runner, [&] {
        if (workplace_.counters.counters) workplace_.counters.counters->start();
        const bool has_phases = !c.algorithm->info().phases.empty();
        seconds = timed_call([&] {
          if (has_phases) runner.phases.reset();  // their origin is the begin of the sort
          output = runner.sorter->sort(buffers, runner.phases);
        });
        if (workplace_.counters.counters) counts = workplace_.counters.counters->stop();
      });
    } catch (const std::bad_alloc&) {
      lose(runner, "failed", "out of memory in a timed sort");
      return false;
    } catch (const std::exception& error) {
      lose(runner, "failed", fmt::format("threw in a timed sort: {}", error.what()));
      return false;
    }
    if (c.threads == 1) bound(runner, [&] { core_share = std::min(core_share, free_cores_.share_of_this_one()); });
    now_.begin(runner.index, Step::verifying);
    const Verification verification =
        verify(input_->digest(), output, problem_of(c), c.algorithm->info().stable, input_->threads());
    runner.verification = to_json(verification);
    if (!verification.ok()) {
      lose(runner, "wrong", verification.reason);
      return false;
    }
    now_.begin(NowDoing::kNoCell, Step::idle);
    runner.samples.push_back({.seconds = seconds, .core_share = core_share});
    const double spent = seconds_since(start);
    runner.spent_s += spent;
    tell_({{"event", "sample"},
           {"cell", runner.index},
           {"seconds", seconds},
           {"clock_hz", clock_hz_},
           {"core_share", core_share},
           {"phases", phases_of(runner.phases)},
           {"counters", counts},
           {"verification", runner.verification},
           {"spent_s", runner.spent_s}});
    return true;
  }

  void lose(Runner& runner, std::string_view status, const std::string& reason) {
    now_.begin(NowDoing::kNoCell, Step::idle);
    tell_({{"event", "lost"},
           {"cell", runner.index},
           {"status", status},
           {"reason", reason},
           {"verification", runner.verification}});
  }

  /// At most 20 times a second: clocks change more slowly than that.
  void read_clock() {
    if (clock_hz_ > 0 && seconds_since(clock_read_) < 0.05) return;
    clock_hz_ = measured_clock_hz();
    clock_read_ = Clock::now();
  }

  const BlockTask& task_;
  Workplace& workplace_;
  NowDoing& now_;
  const Tell& tell_;
  std::optional<BlockInput> input_;
  FreeCores free_cores_;
  std::mt19937_64 order_;
  Clock::time_point begun_ = Clock::now();
  double clock_hz_ = 0;
  Clock::time_point clock_read_{};
};

}  // namespace

void measure_block(const BlockTask& task, Workplace& workplace, NowDoing& now, const Tell& tell) {
  BlockMeasurement(task, workplace, now, tell).run();
}

}  // namespace sortlab
