#include "harness/measure/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "harness/measure/dump.hpp"
#include "harness/measure/stopping_rule.hpp"
#include "harness/measure/suspension.hpp"

namespace sortlab {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Phases of all lanes by name and pass, in the order in which they began.
std::vector<PhaseTime> phase_times(const PhaseTimer& timer) {
  std::vector<PhaseSpan> merged;
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
  std::vector<PhaseTime> phases;
  for (const PhaseSpan& span : merged) {
    phases.push_back({.name = std::string{span.name},
                      .pass = span.pass,
                      .seconds = 1e-9 * static_cast<double>(span.end_ns - span.begin_ns)});
  }
  return phases;
}

/// A cell in progress, with its runnable and its samples.
struct Runner {
  std::size_t index = 0;
  const Cell* cell = nullptr;
  PhaseTimer phases;
  std::vector<TimedSample> samples;
  double spent_s = 0;
  std::unique_ptr<Runnable> runnable{};
  std::optional<Verification> verification{};  ///< verification of the last output
};

class BlockMeasurement {
 public:
  BlockMeasurement(const BlockTask& task, WorkerResources& worker, NowDoing& now, const ReportEvent& report)
      : task_(task), worker_(worker), now_(now), report_(report), order_(task.order_seed) {}

  void run() {
    make_testbed();
    std::size_t next = 0;
    while (next < task_.cells.size()) {
      std::vector<Runner> group;
      for (; next < task_.cells.size(); ++next) {
        Runner runner = begin(next);
        if (prepare(runner, group.empty()) == Preparation::no_room) break;
        if (runner.runnable) group.push_back(std::move(runner));
      }
      take_samples(group);
    }
    now_.begin(NowDoing::kNoCell, Step::idle);
  }

 private:
  enum class Preparation { done, failed, no_room };

  void make_testbed() {
    now_.begin(NowDoing::kNoCell, Step::making_input);
    std::set<Layout> of_cells;
    for (const Cell& cell : task_.cells) of_cells.insert(cell.subject.layout);
    const std::vector<Layout> layouts(of_cells.begin(), of_cells.end());
    testbed_ = testbed_for(task_.cells.front().subject, layouts);
    report_(event::InputMade{.entropy_bits = testbed_->entropy_bits(), .device = testbed_->device()});
  }

  std::unique_ptr<Testbed> testbed_for(const Case& c, const std::vector<Layout>& layouts) {
    switch (c.residency) {
      case Residency::device: return make_device_testbed(c);
      case Residency::end_to_end: return make_end_to_end_testbed(c, worker_);
      default: return make_host_testbed(c, layouts, worker_);
    }
  }

  Runner begin(std::size_t index) const {
    const Cell& cell = task_.cells[index];
    return {.index = index,
            .cell = &cell,
            .phases = testbed_->phase_timer(cell.subject),
            .samples = task_.samples[index],
            .spent_s = task_.spent_s[index]};
  }

  Testbed::Doing doing(const Runner& runner) {
    return [this, &runner](Step step) {
      now_.begin(step == Step::idle ? NowDoing::kNoCell : static_cast<int>(runner.index), step);
    };
  }

  Preparation prepare(Runner& runner, bool alone) {
    const auto start = Clock::now();
    const Wakefulness before = Wakefulness::now(now_);
    const Case& c = runner.cell->subject;
    try {
      now_.begin(static_cast<int>(runner.index), Step::preparing);
      runner.runnable = testbed_->prepare(c);
      report_(event::Prepared{.cell = runner.index,
                              .scratch_bytes = runner.runnable->scratch_bytes(),
                              .affinity = testbed_->resources(c).cpus});
      for (int i = 0; i < runner.cell->protocol.warmup; ++i) {
        testbed_->warm_up(c, *runner.runnable, runner.phases, doing(runner));
      }
    } catch (const std::bad_alloc& error) {
      runner.runnable.reset();
      if (!alone) return Preparation::no_room;
      lose(runner, Status::failed, out_of_memory(error));
      return Preparation::failed;
    } catch (const TestbedLost& error) {
      lose(runner, Status::failed, fmt::format("{} in {}", error.what(), to_name(now_.step.load())));
      throw;
    } catch (const KnownFailure& failure) {
      runner.runnable.reset();
      lose(runner, Status::failed, failure.what(), failure.limit());
      return Preparation::failed;
    } catch (const std::exception& error) {
      runner.runnable.reset();
      lose(runner, Status::failed, fmt::format("threw in {}: {}", to_name(now_.step.load()), error.what()));
      return Preparation::failed;
    }
    now_.begin(NowDoing::kNoCell, Step::idle);
    if (!stood_still(before, Wakefulness::now(now_))) runner.spent_s += seconds_since(start);
    return Preparation::done;
  }

  void take_samples(std::vector<Runner>& group) {
    std::vector<Runner*> active;
    for (Runner& runner : group) active.push_back(&runner);
    while (!active.empty()) {
      std::ranges::shuffle(active, order_);
      std::erase_if(active, [&](Runner* runner) {
        const bool over = ends(*runner) || !sample(*runner);
        if (over) runner->runnable.reset();
        return over;
      });
    }
  }

  /// True if the cell is finished. The supervisor has then been told.
  bool ends(const Runner& runner) {
    auto stop = why_stop(runner.cell->protocol, runner.samples, runner.spent_s);
    if (!stop && task_.time_left_s && seconds_since(begun_) > *task_.time_left_s) {
      const auto enough = static_cast<std::size_t>(runner.cell->protocol.min_samples);
      if (runner.cell->protocol.samples || runner.samples.size() < enough) {
        report_(event::Dropped{.cell = runner.index});
        return true;
      }
      stop = StopReason::budget;
    }
    if (!stop) return false;
    report_(event::Done{.cell = runner.index, .stopped = *stop});
    return true;
  }

  /// Takes one sample, or none if the process was suspended meanwhile; the next turn then takes it again. False if the
  /// cell is lost. The supervisor has then been told.
  bool sample(Runner& runner) {
    const auto start = Clock::now();
    const Wakefulness before = Wakefulness::now(now_);
    const Case& c = runner.cell->subject;
    TimedSort sorted;
    Verification verification;
    try {
      sorted = testbed_->sort(c, *runner.runnable, runner.phases, doing(runner));
      now_.begin(static_cast<int>(runner.index), Step::verifying);
      verification = testbed_->verify(c, *runner.runnable, sorted.output);
      if (!task_.dump.empty() && (runner.samples.empty() || !verification.ok())) {
        const auto verified = Clock::now();
        now_.begin(static_cast<int>(runner.index), Step::dumping);
        dump_sort(task_.dump, c, verification, sorted.output, *testbed_);
        sorted.waited_s += seconds_since(verified);
      }
    } catch (const std::bad_alloc& error) {
      lose(runner, Status::failed, out_of_memory(error));
      return false;
    } catch (const TestbedLost& error) {
      lose(runner, Status::failed, fmt::format("{} in {}", error.what(), to_name(now_.step.load())));
      throw;
    } catch (const KnownFailure& failure) {
      lose(runner, Status::failed, failure.what(), failure.limit());
      return false;
    } catch (const std::exception& error) {
      lose(runner, Status::failed, fmt::format("threw in {}: {}", to_name(now_.step.load()), error.what()));
      return false;
    }
    runner.verification = verification;
    if (!verification.ok()) {
      lose(runner, Status::wrong, verification.reason);
      return false;
    }
    now_.begin(NowDoing::kNoCell, Step::idle);
    if (stood_still(before, Wakefulness::now(now_))) return true;
    runner.samples.push_back(sorted.time);
    runner.spent_s += seconds_since(start) - sorted.waited_s;
    Sample sample;
    sample.seconds = sorted.time.seconds;
    sample.core_share = sorted.time.core_share;
    sample.clock_hz = sorted.clock_hz;
    sample.phases = phase_times(runner.phases);
    sample.counters = std::move(sorted.counters);
    report_(event::SampleTaken{.cell = runner.index,
                               .sample = std::move(sample),
                               .verification = std::move(verification),
                               .spent_s = runner.spent_s});
    return true;
  }

  /// The message for lack of memory, with the plug-in's advice on a setting that needs less, if it has any.
  std::string out_of_memory(const std::bad_alloc& error) const {
    const std::string plain = fmt::format("out of memory in {}", to_name(now_.step.load()));
    const std::string_view said = error.what();
    return said == std::bad_alloc{}.what() ? plain : fmt::format("{}: {}", plain, said);
  }

  void lose(Runner& runner, Status status, const std::string& reason, const std::string& limit = {}) {
    now_.begin(NowDoing::kNoCell, Step::idle);
    report_(event::Lost{
        .cell = runner.index, .status = status, .reason = reason, .verification = runner.verification, .limit = limit});
  }

  const BlockTask& task_;
  WorkerResources& worker_;
  NowDoing& now_;
  const ReportEvent& report_;
  std::unique_ptr<Testbed> testbed_;
  std::mt19937_64 order_;
  Clock::time_point begun_ = Clock::now();
};

}  // namespace

void measure_block(const BlockTask& task, WorkerResources& worker, NowDoing& now, const ReportEvent& report) {
  BlockMeasurement(task, worker, now, report).run();
}

}  // namespace sortlab
