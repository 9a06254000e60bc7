#include "harness/run/supervisor.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/identity.hpp"
#include "core/parameters.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/input_seed.hpp"
#include "harness/machine/loaded_libraries.hpp"
#include "harness/machine/memory.hpp"
#include "harness/measure/stopping_rule.hpp"
#include "harness/record/measurement.hpp"
#include "harness/run/loss.hpp"
#include "harness/run/messages.hpp"
#include "harness/run/signals.hpp"
#include "harness/run/step_watch.hpp"
#include "harness/run/worker.hpp"

namespace sortlab {
namespace {

using Clock = std::chrono::steady_clock;

/// A block whose cells take their turns.
struct BlockState {
  const Block* block = nullptr;
  std::vector<CellResult> results;
  std::vector<std::size_t> open;       ///< cells without a final result
  std::vector<std::size_t> metered{};  ///< cells that have their time samples, and whose energy is asked for
};

class Supervisor {
 public:
  Supervisor(const SupervisorOptions& options, const SupervisorCalls& calls)
      : calls_(calls),
        stop_(options.stop),
        grace_(seconds(options.grace_s)),
        dump_(options.dump),
        longest_stop_(seconds(options.longest_stop_s)),
        wait_for_quiet_(options.wait_for_quiet),
        huge_pages_(options.huge_pages) {
    memory_bytes_ = options.worker_memory_bytes;
    if (memory_bytes_ == 0) memory_bytes_ = available_memory() / 20 * 19;
    if (options.time_budget_s) {
      end_ = Clock::now() + seconds(*options.time_budget_s);
    }
  }

  std::size_t run(const std::vector<Block>& blocks) {
    for (auto next = blocks.begin(); next != blocks.end();) {
      std::vector<BlockState> stretch;
      const Clock::time_point begun = Clock::now();
      const Clock::duration first_turns =
          end_ ? std::min<Clock::duration>(kFirstTurns, (*end_ - begun) / 6) : kFirstTurns;
      do {
        stretch.push_back(begin(*next++));
        take_turns(stretch.back(), 0);
      } while (next != blocks.end() && Clock::now() - begun < first_turns && metered_cells(stretch) < kMaxMetered);
      const auto is_open = [](const BlockState& state) { return !state.open.empty(); };
      for (int turn = 1; std::ranges::any_of(stretch, is_open); ++turn) {
        end_worker();
        for (BlockState& state : stretch) take_turns(state, turn);
      }
      end_worker();
      for (BlockState& state : stretch) meter_energy(state);
      end_worker();
    }
    return left_;
  }

 private:
  /// Time of the first turns of a stretch. If the run is killed, at most the turns of one stretch are lost; towards the
  /// end of a time budget stretches become shorter, so that few cells are left.
  static constexpr auto kFirstTurns = std::chrono::seconds{40};
  /// Cells of a stretch whose energy may be metered: a kill would lose them all, and each takes up to 20 s.
  static constexpr std::size_t kMaxMetered = 12;
  /// Number of workers in a row that may end before they are ready to measure: a fault of the machine, not of a sort.
  static constexpr int kMaxDeathsAtStart = 3;

  static Clock::duration seconds(double s) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
  }

  static double seconds_in(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

  bool is_stopped() const { return stop_ != nullptr && stop_->caught() != 0; }
  bool is_out_of_time() const { return end_ && Clock::now() >= *end_; }

  /// True if the current block must be abandoned: the grace time after a signal is over, or another signal followed.
  bool must_leave() {
    if (!is_stopped()) return false;
    if (!grace_end_) grace_end_ = Clock::now() + grace_;
    return stop_->insists() || Clock::now() >= *grace_end_;
  }

  static BlockState begin(const Block& block) {
    BlockState state{.block = &block, .results = std::vector<CellResult>(block.size()), .open = {}};
    for (std::size_t i = 0; i < block.size(); ++i) state.open.push_back(i);
    return state;
  }

  /// Gives each open cell of a block its next turn, beside the others.
  void take_turns(BlockState& state, int turn) {
    state_ = &state;
    turn_ = turn;
    const bool may_begin = is_finishing_ || !is_stopped();
    if (may_begin && !is_out_of_time() && !state.open.empty()) {
      std::vector<std::size_t> together;
      alone_.clear();
      for (const std::size_t cell : state.open) {
        (state.results[cell].lost_before.empty() ? together : alone_).push_back(cell);
      }
      measure(together);
      for (const std::size_t cell : std::vector(alone_)) {  // lose() may add to it
        if (must_leave() || is_out_of_time()) break;
        end_worker();
        measure({cell});
      }
    }
    const bool ends = is_out_of_time() || (is_stopped() && (!may_begin || must_leave()));
    for (const std::size_t cell : std::vector(state.open)) {
      const auto stop = ends ? why_end(state.results[cell], protocol(cell)) : why_stop_now(cell);
      if (!ends && state.results[cell].samples.empty()) {
        lose(cell, {Status::failed, {ReasonCode::no_sample, "took no sample in its turn"}});
      } else if (stop) {
        state.results[cell].status = Status::ok;
        state.results[cell].stopped = stop;
        end_samples(cell);
      } else if (ends) {
        ++left_;
      } else if (calls_.turn_over) {
        calls_.turn_over((*state.block)[cell], turn + 1);
      }
    }
    if (ends) state.open.clear();
    if (is_stopped() && !state.open.empty()) {  // the cells at hand take their other turns within the grace time
      is_finishing_ = true;
      end_worker();
      take_turns(state, turn + 1);
      is_finishing_ = false;
    }
  }

  static std::size_t metered_cells(const std::vector<BlockState>& stretch) {
    std::size_t cells = 0;
    for (const BlockState& state : stretch) {
      cells += static_cast<std::size_t>(
          std::ranges::count_if(*state.block, [](const Cell& cell) { return cell.protocol.energy; }));
    }
    return cells;
  }

  /// Ends a cell that has its time samples. Energy is metered once all cells of the stretch have theirs, so that the
  /// heat of it changes none of them.
  void end_samples(std::size_t cell) {
    if (!protocol(cell).energy) return finish(cell);
    std::erase(state_->open, cell);
    state_->metered.push_back(cell);
  }

  /// Meters the energy of a block's cells that have their time samples, and ends them all.
  void meter_energy(BlockState& state) {
    if (state.metered.empty()) return;
    state_ = &state;
    is_metering_ = true;
    if (!is_stopped() && !is_out_of_time()) measure(state.metered);
    is_metering_ = false;
    for (const std::size_t cell : std::vector(state.metered)) {
      without_energy(cell, is_stopped() ? "the run was stopped before it was metered"
                                        : "the run's time was over before it was metered");
    }
  }

  /// Ends a cell whose energy is not known.
  void without_energy(std::size_t cell, const std::string& reason) {
    state_->results[cell].energy = no_energy(reason);
    finish(cell);
  }

  const Protocol& protocol(std::size_t cell) const { return (*state_->block)[cell].protocol; }

  /// The reason to finish a cell when the run ends, or nullopt if it has too few samples.
  static std::optional<StopReason> why_end(const CellResult& result, const Protocol& protocol) {
    const bool enough = !protocol.samples && result.samples.size() >= static_cast<std::size_t>(protocol.min_samples);
    return enough ? std::optional{StopReason::budget} : std::nullopt;
  }

  std::optional<StopReason> why_stop_now(std::size_t cell) const {
    const CellResult& result = state_->results[cell];
    const std::vector<TimedSample> timed(result.samples.begin(), result.samples.end());
    std::vector<double> seconds;
    std::vector<int> processes;
    for (const std::size_t i : samples_that_count(protocol(cell), timed)) {
      seconds.push_back(result.samples[i].seconds);
      processes.push_back(result.samples[i].process);
    }
    return why_stop(protocol(cell), turn_ + 1, {seconds, processes}, timed.size(), result.spent_s);
  }

  /// Takes the samples of these cells' turns, by as many workers as it takes.
  void measure(const std::vector<std::size_t>& cells) {
    sent_ = cells;
    before_.clear();
    for (const std::size_t cell : cells) before_[cell] = state_->results[cell].samples.size();
    int deaths_without_cell = 0;
    int deaths_at_start = 0;
    while (!sent_.empty()) {
      if (!worker_) {
        worker_ = std::make_unique<WorkerProcess>(memory_bytes_);
        is_ready_ = false;
        ++process_;
      }
      open_ = sent_;
      // A worker that has already died takes no message; reading from it shows how it ended.
      static_cast<void>(worker_->channel().send(to_json(task()).dump() + '\n'));
      const Ending ending = listen();
      if (ending == Ending::block_done) break;
      if (ending == Ending::stopped) {
        end_worker();
        break;
      }
      if (!is_ready_ && ++deaths_at_start == kMaxDeathsAtStart) {
        if (ending != Ending::died) worker_->kill();
        throw std::runtime_error(fmt::format("no worker can be started: {}", describe_death(worker_->wait()).reason));
      }
      const int at = current_cell();
      const Step step = worker_->now().step.load(std::memory_order_acquire);
      if (ending != Ending::died) worker_->kill();
      const Death death = describe_death(worker_->wait());
      worker_.reset();
      const Loss loss = describe_loss(ending, death, step, {step_limit(at), seconds_in(longest_stop_)});
      if (at != NowDoing::kNoCell) {
        const std::size_t cell = sent_[static_cast<std::size_t>(at)];
        if (std::ranges::find(open_, cell) != open_.end()) lose(cell, loss);
      } else if (std::exchange(leaving_, false) && open_.size() < sent_.size()) {
        // The worker's device failed, and the cell at fault was reported.
      } else if (is_ready_ && (++deaths_without_cell == 2 || ending == Ending::too_long)) {
        for (const std::size_t cell : std::vector(open_)) lose(cell, loss);
      }
      prepared_.clear();
      sent_ = open_;
    }
  }

  void end_worker() {
    worker_.reset();
    prepared_.clear();
  }

  /// The task of the cells in sent_, with the samples of earlier workers.
  BlockTask task() const {
    BlockTask task;
    task.dump = dump_;
    task.meters_energy = is_metering_;
    task.wait_for_quiet = wait_for_quiet_;
    task.huge_pages = huge_pages_;
    std::string ids;
    std::size_t taken = 0;
    for (const std::size_t i : sent_) {
      const CellResult& result = state_->results[i];
      task.cells.push_back((*state_->block)[i]);
      task.samples.emplace_back(result.samples.begin(), result.samples.end());
      task.turns.push_back({.number = turn_, .samples_before = before_.at(i)});
      task.spent_s.push_back(result.spent_s);
      ids += cell_id((*state_->block)[i].subject);
      taken += result.samples.size();
    }
    task.first_round = first_round();
    task.order_seed = text_hash(ids) + taken;
    if (end_) task.time_left_s = std::max(0.0, std::chrono::duration<double>(*end_ - Clock::now()).count());
    return task;
  }

  /// The round of inputs after those of the block's earlier samples.
  std::uint64_t first_round() const {
    std::uint64_t round = 0;
    for (const CellResult& result : state_->results) {
      for (const Sample& sample : result.samples) round = std::max(round, sample.facts.input / kInputsPerSample + 1);
    }
    return round;
  }

  double step_limit(int at) const {
    if (at == NowDoing::kNoCell) {  // it was making the input, or waiting for cores
      const double patience_s = wait_for_quiet_ ? 3600 : 5;
      const Cell& first = (*state_->block)[sent_.front()];
      return first.protocol.step_limit(first.subject.n) + patience_s;
    }
    const Cell& cell = (*state_->block)[sent_[static_cast<std::size_t>(at)]];
    return cell.protocol.step_limit(cell.subject.n);
  }

  /// The place in sent_ of the cell that the worker is at, or kNoCell. A sort may have written to the worker's page.
  int current_cell() const {
    const int at = worker_->now().cell.load();
    return at >= 0 && static_cast<std::size_t>(at) < sent_.size() ? at : NowDoing::kNoCell;
  }

  /// False for an event of a cell that the worker does not have.
  bool is_of_sent_cell(const WorkerEvent& event) const {
    return std::visit(
        [&](const auto& e) {
          if constexpr (requires { e.cell; }) return e.cell < sent_.size();
          return true;
        },
        event);
  }

  Ending listen() {
    StepWatch watch{*worker_, continuations_, longest_stop_};
    while (true) {
      if (must_leave()) return Ending::stopped;
      while (true) {
        std::optional<WorkerEvent> event;
        try {
          if (const auto line = worker_->channel().next()) event = event_from_json(*line);
          if (event && !is_of_sent_cell(*event)) return Ending::garbled;
        } catch (const std::exception&) {  // a sort has written there
          return Ending::garbled;
        }
        if (!event) break;
        if (std::holds_alternative<event::BlockDone>(*event)) {
          return open_.empty() ? Ending::block_done : Ending::garbled;
        }
        std::visit([this](const auto& of_kind) { take(of_kind); }, *event);
        watch.hear();
      }
      const double limit_s = step_limit(current_cell());
      if (const auto ending = watch.judge(limit_s, current_cell() != NowDoing::kNoCell)) return *ending;
      // Wakes at an event, at the end of the worker, at a signal, or when the current step's time is up. During long
      // steps it also wakes in between, to detect a suspension of all processes that no signal reports, as in a frozen
      // container.
      const double longest_wait_s = grace_end_ ? 0.5 : 5;
      const double wait_s = std::clamp(watch.remaining_s(limit_s), 0.0, longest_wait_s);
      const Clock::time_point asked = Clock::now();
      std::array<pollfd, 2> files{
          {{.fd = worker_->channel().socket(), .events = POLLIN, .revents = 0},
           {.fd = stop_ == nullptr || grace_end_ ? -1 : stop_->wake(), .events = POLLIN, .revents = 0}}};
      const int ready = poll(files.data(), files.size(), 1 + static_cast<int>(1000 * wait_s));
      if (ready < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "poll");
      watch.notice_suspension(wait_s, std::chrono::duration<double>(Clock::now() - asked).count());
      if (ready > 0 && files[0].revents != 0 && !worker_->channel().receive()) return Ending::died;
    }
  }

  void take(const event::Ready& ready) {
    is_ready_ = true;
    counters_reason_ = ready.counters_reason;
    // The run's record names those of this process.
    if (const auto others = different_libraries(libraries_, ready.libraries); !others.empty()) {
      throw std::runtime_error(fmt::format("another build of {} is loaded since the run began; start it again",
                                           join({others.begin(), others.end()})));
    }
  }

  void take(const event::InputMade& made) {
    for (CellResult& result : state_->results) {
      result.device = made.device;
      result.input_digest = made.digest;
      if (made.entropy_bits) result.entropy_bits = made.entropy_bits;
    }
  }

  void take(const event::NoInput& none) {
    for (const std::size_t cell : std::vector(open_)) lose(cell, {Status::failed, {ReasonCode::no_input, none.reason}});
  }

  void take(const event::Prepared& prepared) {
    const std::size_t index = sent_.at(prepared.cell);
    prepared_.push_back(&(*state_->block)[index]);
    CellResult& result = state_->results[index];
    result.scratch_bytes = prepared.scratch_bytes;
    result.affinity = prepared.affinity;
  }

  void take(const event::SampleTaken& taken) {
    const std::size_t index = sent_.at(taken.cell);
    CellResult& result = state_->results[index];
    result.samples.push_back(taken.sample);
    result.samples.back().process = process_;
    if (!result.device) highest_clock_hz_ = std::max(highest_clock_hz_, taken.sample.clock_hz);
    judge_clocks(result);
    result.verification = taken.verification;
    result.spent_s = taken.spent_s;
    calls_.running((*state_->block)[index]);
  }

  /// Compares the clocks of a cell's samples with the highest of the run so far.
  void judge_clocks(CellResult& result) const {
    if (result.device) return;
    for (Sample& sample : result.samples) {
      if (sample.clock_hz > 0) sample.disturbance.clock_share = sample.clock_hz / highest_clock_hz_;
    }
  }

  void take(const event::TurnOver& over) {
    const std::size_t index = sent_.at(over.cell);
    std::vector<double>& called_s = state_->results[index].called_s;
    called_s.insert(called_s.end(), over.called_s.begin(), over.called_s.end());
    std::erase(open_, index);
  }

  void take(const event::EnergyTaken& taken) {
    const std::size_t index = sent_.at(taken.cell);
    std::erase(open_, index);
    state_->results[index].energy = taken.energy;
    finish(index);
  }

  void take(const event::Lost& lost) {
    const std::size_t index = sent_.at(lost.cell);
    if (is_metering_ && lost.status != Status::wrong) return lose(index, {lost.status, {lost.code, lost.reason}});
    state_->results[index].verification = lost.verification;
    state_->results[index].limit = lost.limit;
    lose(index, {lost.status, {lost.code, lost.reason}});
  }

  void take(const event::Leaving&) { leaving_ = true; }

  void take(const event::BlockDone&) {}

  /// Ends a cell, or has it measured again alone if a sort before it may be at fault, or something outside that changed
  /// the process. Another attempt gives a cell that is skipped no more processors.
  void lose(std::size_t index, const Loss& loss) {
    std::erase(open_, index);
    if (is_metering_ && loss.status != Status::wrong) {
      return without_energy(index, fmt::format("{}: {}", to_name(loss.status), loss.reason.text));
    }
    CellResult& result = state_->results[index];
    result.status = loss.status;
    result.reason = loss.reason.text;
    result.code = loss.reason.code;
    result.limit_s = loss.limit_s;
    result.signal = loss.signal;
    const Cell& cell = (*state_->block)[index];
    const bool was_alone = std::ranges::all_of(prepared_, [&](const Cell* other) { return other == &cell; });
    const bool tells_more = !was_alone || loss.reason.code == ReasonCode::caller_changed;
    const bool is_again = !is_metering_ && tells_more && loss.status != Status::skipped && result.lost_before.empty();
    if (is_again && !is_expected(cell.subject, result)) {
      result.lost_before = fmt::format("{}: {}", to_name(loss.status), loss.reason.text);
      alone_.push_back(index);
      return;
    }
    finish(index);
  }

  /// Reports the final result of a cell.
  void finish(std::size_t index) {
    CellResult& result = state_->results[index];
    if (result.status != Status::ok) {
      result.lost_before.clear();
      result.stopped.reset();
    }
    if (result.status == Status::ok) {
      result.reason.clear();
      result.code.reset();
      result.limit_s.reset();
    }
    result.counters_reason = counters_reason_;
    judge_clocks(result);
    std::erase(state_->open, index);
    std::erase(state_->metered, index);
    calls_.finished((*state_->block)[index], result);
  }

  const SupervisorCalls& calls_;
  const StopSignals* stop_;
  Continuations continuations_;
  const Clock::duration grace_;
  std::optional<Clock::time_point> grace_end_;  ///< end of the grace time, known from the first signal on
  const std::string dump_;
  const Clock::duration longest_stop_;
  const bool wait_for_quiet_;
  const std::string huge_pages_;
  std::uint64_t memory_bytes_ = 0;
  std::optional<Clock::time_point> end_;
  std::unique_ptr<WorkerProcess> worker_;
  std::string counters_reason_;
  const std::map<std::string, std::string> libraries_ = loaded_libraries();
  bool is_finishing_ = false;  ///< a signal asked for the end, and the cells at hand may still be measured
  bool is_metering_ = false;   ///< energy is metered, and no samples are taken
  bool is_ready_ = false;      ///< the worker has started
  bool leaving_ = false;       ///< the worker has announced its end
  std::size_t left_ = 0;

  double highest_clock_hz_ = 0;  ///< fastest of all samples on the host

  int process_ = 0;                    ///< workers started so far
  std::vector<const Cell*> prepared_;  ///< cells that the current worker has prepared

  BlockState* state_ = nullptr;                ///< the current block
  int turn_ = 0;                               ///< the turn of its cells
  std::vector<std::size_t> sent_;              ///< cells of the block that the worker has, in its order
  std::map<std::size_t, std::size_t> before_;  ///< their samples before this turn
  std::vector<std::size_t> open_;              ///< cells in sent_ whose turn is not over
  std::vector<std::size_t> alone_;  ///< cells that take their turn alone in a worker: they were lost beside others
};

}  // namespace

std::size_t supervise(const std::vector<Block>& blocks, const SupervisorOptions& options,
                      const SupervisorCalls& calls) {
  return Supervisor(options, calls).run(blocks);
}

}  // namespace sortlab
