#include "harness/measure/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "core/identity.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/input_seed.hpp"
#include "harness/cell/problem.hpp"
#include "harness/machine/memory.hpp"
#include "harness/machine/tracing.hpp"
#include "harness/measure/dump.hpp"
#include "harness/measure/energy_stage.hpp"
#include "harness/measure/stopping_rule.hpp"
#include "harness/measure/suspension.hpp"
#include "harness/measure/thread_use.hpp"
#include "harness/measure/turnstile.hpp"

namespace sortlab {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A reading takes at least so long, so that the clock's own time and resolution are below a hundredth of it.
constexpr double kReading_s = 10e-6;
/// Sorts that one reading times, at most.
constexpr int kMaxBatch = static_cast<int>(kInputsPerSample) - 1;
/// Calls as a program makes them, of all turns of a cell.
constexpr int kProgramCalls = 3;
constexpr int kCallAttempts = 3;  // to take one of these undisturbed

/// Samples of a cell after which its use of threads is judged.
constexpr std::size_t kSamplesThatTellThreads = 3;

/// A cell in progress: what it runs, and its samples.
struct Runner {
  std::size_t index = 0;
  const Cell* cell = nullptr;
  PhaseTimer phases;
  std::vector<TimedSample> samples;
  std::vector<double> called_s{};  ///< this turn's calls as a program makes them
  int attempts = 0;                ///< to make these, delayed ones too
  bool fits_twice = true;          ///< false: there was no room for scratch memory a second time, or no such call
  Turn turn;
  double spent_s = 0;
  int batch = 1;         ///< inputs that one reading sorts
  bool in_place = true;  ///< the last output lay in the array of the input
  ThreadUse threads{};   ///< sums over this worker's samples
  std::unique_ptr<Runnable> runnable{};
  std::optional<Verification> verification{};  ///< verification of the last output
};

/// The stay of a worker in its program's turnstile, if it has one, while it measures a block.
class InTurn {
 public:
  InTurn(Turnstile* turnstile, const BlockTask& task) : turnstile_(turnstile) {
    std::string cells;
    for (const Cell& cell : task.cells) cells += cell_id(cell.subject);
    if (turnstile_ != nullptr) turnstile_->enter(text_hash(cells) + static_cast<std::uint64_t>(task.turns[0].number));
  }
  InTurn(const InTurn&) = delete;
  InTurn& operator=(const InTurn&) = delete;
  ~InTurn() {
    if (turnstile_ != nullptr) turnstile_->leave();
  }

 private:
  Turnstile* turnstile_;
};

class BlockMeasurement {
 public:
  BlockMeasurement(const BlockTask& task, WorkerResources& worker, NowDoing& now, const ReportEvent& report)
      : task_(task), worker_(worker), now_(now), report_(report), order_(task.order_seed) {}

  void run() {
    const InTurn in_turn(worker_.turnstile.get(), task_);
    if (task_.wait_for_quiet) worker_.free_cores.wait_for_quiet();
    make_testbed();
    if (task_.meters_energy) return meter_energy();
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
    try {
      testbed_ = testbed_for(task_.cells.front().subject, layouts);
    } catch (const std::bad_alloc&) {
      if (worker_.used) throw TestbedLost("sorts before this block may have kept memory");
      throw;
    }
    report_(event::InputMade{.entropy_bits = testbed_->entropy_bits(),
                             .device = testbed_->device(),
                             .digest = fmt::format("{:016x}", testbed_->digest().keys)});
  }

  std::unique_ptr<Testbed> testbed_for(const Case& c, const std::vector<Layout>& layouts) {
    switch (c.residency) {
      case Residency::device: return make_device_testbed(c);
      case Residency::shards: return make_shards_testbed(c);
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
            .turn = task_.turns[index],
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
    if (const auto reason = reason_of_processors(c)) {
      lose(runner, {ReasonCode::too_few_processors, *reason});
      return Preparation::failed;
    }
    const bool after_others = std::exchange(worker_.used, true);
    try {
      now_.begin(static_cast<int>(runner.index), Step::preparing);
      runner.runnable = testbed_->prepare(c);
      report_(event::Prepared{.cell = runner.index,
                              .scratch_bytes = runner.runnable->scratch_bytes(),
                              .affinity = testbed_->resources(c).cpus});
      warm_up(runner);
    } catch (const std::bad_alloc& error) {
      runner.runnable.reset();
      if (!alone) return Preparation::no_room;
      if (after_others) {  // it may have room in a new worker
        now_.begin(NowDoing::kNoCell, Step::idle);
        throw TestbedLost("sorts before this one may have kept memory");
      }
      lose(runner, {ReasonCode::out_of_memory, out_of_memory(error)});
      return Preparation::failed;
    } catch (const SortAtFault& error) {
      lose(runner, {error.code, error.what()});
      throw;
    } catch (const TestbedLost& error) {
      lose(runner, {ReasonCode::process_lost, fmt::format("{} in {}", error.what(), to_name(now_.step.load()))});
      throw;
    } catch (const KnownFailure& failure) {
      runner.runnable.reset();
      lose(runner, {ReasonCode::known_limit, failure.what()}, failure.limit());
      return Preparation::failed;
    } catch (const std::exception& error) {
      runner.runnable.reset();
      lose(runner, {ReasonCode::exception,
                    fmt::format("threw in {}: {}", to_name(now_.step.load()), message_with_limits(error))});
      return Preparation::failed;
    }
    now_.begin(NowDoing::kNoCell, Step::idle);
    if (!stood_still(before, Wakefulness::now(now_))) runner.spent_s += seconds_since(start);
    return runner.runnable ? Preparation::done : Preparation::failed;
  }

  /// The reason this worker has too few processors for a case, as where a cpuset became narrower during the run.
  std::optional<std::string> reason_of_processors(const Case& c) const {
    if (c.residency == Residency::device || c.residency == Residency::shards ||
        static_cast<std::size_t>(c.threads) <= worker_.cpus.size()) {
      return std::nullopt;
    }
    return fmt::format("needs {} processors, {} are left to this run", c.threads, worker_.cpus.size());
  }

  /// Sorts inputs that no sample will sort, and verifies the outputs.
  void warm_up(Runner& runner) {
    const Case& c = runner.cell->subject;
    for (int i = 0; i < runner.cell->protocol.warmup; ++i) {
      testbed_->make_inputs({runner.cell->protocol.same_input ? 0 : kUntimedInputs + static_cast<std::uint64_t>(i)});
      const TimedSort sorted = testbed_->warm_up(c, *runner.runnable, runner.phases, doing(runner));
      if (!verifies(runner, sorted)) {
        runner.runnable.reset();
        return;
      }
      refuse_damage();
      fill_a_reading(runner, sorted.time.seconds);
    }
  }

  /// Enlarges the batch so that a reading takes long enough, for sorts that take `seconds`. False if it was enough.
  bool fill_a_reading(Runner& runner, double seconds) {
    if (!can_be_a_batch(*runner.cell) || seconds * runner.batch >= kReading_s || runner.batch >= kMaxBatch / 2) {
      return false;
    }
    constexpr double with_reserve = 1.1;
    const double sorts = std::ceil(with_reserve * kReading_s / seconds);
    constexpr int most = kMaxBatch / 2;
    runner.batch = static_cast<int>(std::clamp(sorts, runner.batch + 1.0, static_cast<double>(most)));
    return true;
  }

  /// Several sorts in one reading: of whole sorts in our process, since a component is set up anew for each.
  bool can_be_a_batch(const Cell& cell) const {
    return is_primed(cell) && !cell.subject.algorithm->info().times_itself;
  }

  bool is_primed(const Cell& cell) const {
    return sortlab::is_primed(cell.subject) && task_.dump.empty() && !cell.protocol.same_input;
  }

  /// Verifies what a sort returned, each output against its own input, at once. False if the cell is lost.
  bool verifies(Runner& runner, const TimedSort& sorted) {
    const Case& c = runner.cell->subject;
    now_.begin(static_cast<int>(runner.index), Step::verifying);
    for (auto output = sorted.outputs.rbegin(); output != sorted.outputs.rend(); ++output) {
      runner.verification = testbed_->verify(c, *runner.runnable, *output);
      if (runner.verification->ok()) continue;
      const std::string reason = runner.verification->reason;
      dump(runner, sorted);
      if (const auto harm = testbed_->lasting_harm()) {
        throw SortAtFault(harm->code, fmt::format("{}; {}", reason, harm->text));
      }
      lose(runner, {ReasonCode::wrong_output, reason});
      return false;
    }
    return true;
  }

  /// Throws SortAtFault if the last sort wrote outside its arrays.
  void refuse_damage() {
    if (const auto found = testbed_->damage()) {
      throw SortAtFault(ReasonCode::outside_arrays, "wrote outside its arrays: " + *found);
    }
  }

  /// Writes the input and the last output of a sort, where that is asked for. Returns the seconds that it took.
  double dump(const Runner& runner, const TimedSort& sorted) {
    if (task_.dump.empty()) return 0;
    const auto begin = Clock::now();
    now_.begin(static_cast<int>(runner.index), Step::dumping);
    dump_sort(task_.dump, runner.cell->subject, *runner.verification, sorted.outputs.back().output, *testbed_);
    return seconds_since(begin);
  }

  void take_samples(std::vector<Runner>& group) {
    std::vector<Runner*> active;
    for (Runner& runner : group) active.push_back(&runner);
    for (std::uint64_t round = task_.first_round; !active.empty(); ++round) {
      make_inputs(active, round);
      std::ranges::shuffle(active, order_);
      std::erase_if(active, [&](Runner* runner) {
        if (worker_.turnstile) {
          worker_.turnstile->hand_over();
          now_.begin(NowDoing::kNoCell, Step::idle);
        }
        const bool over = has_its_samples(*runner) ? ends(*runner) : !sample(*runner, round);
        if (over) runner->runnable.reset();
        return over;
      });
    }
  }

  /// Makes the inputs of a round: those that the largest batch sorts, and one to prime with. Charged to all alike.
  void make_inputs(std::vector<Runner*>& active, std::uint64_t round) {
    const auto begin = Clock::now();
    now_.begin(NowDoing::kNoCell, Step::making_input);
    std::uint64_t inputs = 1;
    bool same = false;
    for (const Runner* runner : active) {
      const std::uint64_t batch = static_cast<std::uint64_t>(max_batch(*runner));
      inputs = std::max(inputs, batch + (is_primed(*runner->cell) ? 1 : 0));
      same = same || runner->cell->protocol.same_input;
    }
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < inputs; ++i) numbers.push_back(round * kInputsPerSample + i);
    testbed_->make_inputs(same ? std::vector<std::uint64_t>{0} : numbers);
    const double share_s = seconds_since(begin) / static_cast<double>(active.size());
    for (Runner* runner : active) runner->spent_s += share_s;
    now_.begin(NowDoing::kNoCell, Step::idle);
  }

  /// The most inputs that the next reading of a cell sorts. Where the outputs overwrite each other in scratch memory,
  /// only the last of a batch can be verified, so the sort must not know which that is.
  static int max_batch(const Runner& runner) {
    return runner.in_place || runner.batch == 1 ? runner.batch
                                                : std::min(runner.batch + runner.batch / 2 + 1, kMaxBatch);
  }

  int draw_batch(const Runner& runner) {
    return std::uniform_int_distribution<int>{runner.batch, max_batch(runner)}(order_);
  }

  bool out_of_time() const { return task_.time_left_s && seconds_since(begun_) > *task_.time_left_s; }

  bool has_its_samples(const Runner& runner) const {
    return out_of_time() || is_turn_over(runner.cell->protocol, runner.turn, runner.samples, runner.spent_s);
  }

  /// True if the sort is to be called once more as a program calls it: its turn has a share of these calls, and a call
  /// that was delayed is tried again, with the input of a later round.
  bool wants_a_call(const Runner& runner) const {
    const int turns = runner.cell->protocol.least_processes();
    const int number = runner.turn.number;
    if (!runner.fits_twice || !task_.dump.empty() || number >= turns || out_of_time()) return false;
    const int calls = (kProgramCalls - number + turns - 1) / turns;
    return static_cast<int>(runner.called_s.size()) < calls && runner.attempts < calls * kCallAttempts;
  }

  /// Calls the sort as a program does, if it is to be called. False if that is to go on in the next round; else the
  /// cell's turn is over or the cell is lost, and the supervisor has been told.
  bool ends(Runner& runner) {
    if (wants_a_call(runner)) {
      if (!call_from_a_program(runner)) return true;
      if (wants_a_call(runner)) return false;
    }
    report_(event::TurnOver{.cell = runner.index, .called_s = std::move(runner.called_s)});
    return true;
  }

  /// False if the cell is lost.
  bool call_from_a_program(Runner& runner) {
    ++runner.attempts;
    return attempt(runner, [&] {
      const Wakefulness before = Wakefulness::now(now_);
      const bool was_traced = tracing_.finds_any();
      std::optional<TimedSort> sorted;
      try {
        sorted = testbed_->called_from_a_program(runner.cell->subject, runner.phases, doing(runner));
      } catch (const std::bad_alloc&) {  // no room for scratch memory a second time, which costs no samples
        runner.called_s.clear();
      }
      runner.fits_twice = sorted.has_value();
      if (sorted) {
        if (!verifies(runner, *sorted)) return false;
        refuse_damage();
        const bool was_delayed =
            was_traced || is_disturbed(sorted->time) || stood_still(before, Wakefulness::now(now_));
        if (!was_delayed) runner.called_s.push_back(sorted->time.seconds);
      }
      now_.begin(NowDoing::kNoCell, Step::idle);
      return true;
    });
  }

  /// Returns what `work` returns; false, with the cell lost, if it throws. Throws TestbedLost on.
  template <class Work>
  bool attempt(Runner& runner, const Work& work) {
    try {
      return work();
    } catch (const std::bad_alloc& error) {
      lose(runner, {ReasonCode::out_of_memory, out_of_memory(error)});
    } catch (const SortAtFault& error) {
      lose(runner, {error.code, error.what()});
      throw;
    } catch (const TestbedLost& error) {
      lose(runner, {ReasonCode::process_lost, fmt::format("{} in {}", error.what(), to_name(now_.step.load()))});
      throw;
    } catch (const KnownFailure& failure) {
      lose(runner, {ReasonCode::known_limit, failure.what()}, failure.limit());
    } catch (const WrongOutput& error) {
      lose(runner, {ReasonCode::wrong_output, error.what()});
    } catch (const std::exception& error) {
      lose(runner, {ReasonCode::exception,
                    fmt::format("threw in {}: {}", to_name(now_.step.load()), message_with_limits(error))});
    }
    return false;
  }

  /// Takes one sample, or none if the process was suspended meanwhile or the reading was too short: the next turn takes
  /// it again. False if the cell is lost; the supervisor has then been told.
  bool sample(Runner& runner, std::uint64_t round) {
    const auto start = Clock::now();
    const Wakefulness before = Wakefulness::now(now_);
    const bool was_traced = tracing_.finds_any();
    const Case& c = runner.cell->subject;
    TimedSort sorted;
    const bool taken = attempt(runner, [&] {
      const SampleSetting setting{.batch = draw_batch(runner), .primed = is_primed(*runner.cell)};
      sorted = testbed_->sort(c, *runner.runnable, runner.phases, setting, doing(runner));
      if (!verifies(runner, sorted)) return false;
      refuse_damage();
      if (auto fault = testbed_->aftermath(c, sorted)) {
        lose(runner, *fault);
        return false;
      }
      if (runner.samples.empty()) sorted.waited_s += dump(runner, sorted);
      return true;
    });
    if (!taken) return false;
    sorted.time.disturbance.is_traced = was_traced || tracing_.finds_any();
    sorted.facts.input = runner.cell->protocol.same_input ? 0 : round * kInputsPerSample;
    runner.in_place = sorted.facts.in_place;
    runner.threads.add(sorted.facts);
    auto fault = sorted.facts.batch == 1 ? fault_in_phases(runner.phases, c) : std::nullopt;
    if (!fault && runner.samples.size() >= kSamplesThatTellThreads) {
      fault = fault_in_threads(runner.threads, c, *testbed_);
    }
    if (fault) {
      lose(runner, *fault);
      return false;
    }
    now_.begin(NowDoing::kNoCell, Step::idle);
    if (stood_still(before, Wakefulness::now(now_))) return true;
    if (fill_a_reading(runner, sorted.time.seconds)) {
      runner.spent_s += seconds_since(start) - sorted.waited_s;
      return true;
    }
    runner.samples.push_back(sorted.time);
    runner.spent_s += seconds_since(start) - sorted.waited_s;
    Sample sample;
    static_cast<TimedSample&>(sample) = sorted.time;
    sample.clock_hz = sorted.clock_hz;
    sample.facts = sorted.facts;
    sample.phases = c.residency == Residency::shards ? phase_times_by_lane(runner.phases) : phase_times(runner.phases);
    sample.counters = std::move(sorted.counters);
    report_(event::SampleTaken{.cell = runner.index,
                               .sample = std::move(sample),
                               .verification = *runner.verification,
                               .spent_s = runner.spent_s});
    return true;
  }

  /// Meters the energy of each cell. They take the testbed one after the other.
  void meter_energy() {
    for (std::size_t i = 0; i < task_.cells.size(); ++i) {
      Runner runner = begin(i);
      if (out_of_time()) {
        report_(event::EnergyTaken{.cell = i, .energy = no_energy("the run's time was over before it was metered")});
        continue;
      }
      if (prepare(runner, true) != Preparation::done) continue;
      const Case& c = runner.cell->subject;
      attempt(runner, [&] {
        testbed_->make_inputs(energy_inputs(*runner.cell));
        const auto energy = measure_energy(
            c, *testbed_, *runner.runnable, [&] { return open_meters(c, testbed_->device_identity()); }, doing(runner),
            [&](const SortedInput& last) {
              TimedSort sorted;
              sorted.outputs.push_back(last);
              return verifies(runner, sorted);
            });
        if (!energy) return false;
        now_.begin(NowDoing::kNoCell, Step::idle);
        report_(event::EnergyTaken{.cell = i, .energy = *energy});
        return true;
      });
    }
    now_.begin(NowDoing::kNoCell, Step::idle);
  }

  /// The message for lack of memory, with the plug-in's advice on a setting that needs less, if it has any.
  std::string out_of_memory(const std::bad_alloc& error) const {
    const std::string plain = fmt::format("out of memory in {}{}", to_name(now_.step.load()), limits_of_memory());
    const std::string_view said = error.what();
    return said == std::bad_alloc{}.what() ? plain : fmt::format("{}: {}", plain, said);
  }

  static Status status_for(ReasonCode code) {
    if (code == ReasonCode::too_few_processors) return Status::skipped;
    return code == ReasonCode::wrong_output ? Status::wrong : Status::failed;
  }

  void lose(Runner& runner, const Reason& reason, const std::string& limit = {}) {
    now_.begin(NowDoing::kNoCell, Step::idle);
    report_(event::Lost{.cell = runner.index,
                        .status = status_for(reason.code),
                        .code = reason.code,
                        .reason = reason.text,
                        .verification = runner.verification,
                        .limit = limit});
  }

  const BlockTask& task_;
  WorkerResources& worker_;
  NowDoing& now_;
  const ReportEvent& report_;
  std::unique_ptr<Testbed> testbed_;
  std::mt19937_64 order_;
  TracingWatch tracing_{};
  Clock::time_point begun_ = Clock::now();
};

}  // namespace

void measure_block(const BlockTask& task, WorkerResources& worker, NowDoing& now, const ReportEvent& report) {
  worker.huge_pages = task.huge_pages;
  BlockMeasurement(task, worker, now, report).run();
}

}  // namespace sortlab
