#include "harness/run/supervisor.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/identity.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/machine/memory.hpp"
#include "harness/run/messages.hpp"
#include "harness/run/signals.hpp"
#include "harness/run/worker.hpp"

namespace sortlab {
namespace {

using Clock = std::chrono::steady_clock;

/// Description of a worker's end, with the signal's name if a signal ended it.
struct Death {
  std::string reason;
  std::string signal;
};

Death describe_death(int wait_status) {
  if (!WIFSIGNALED(wait_status)) return {fmt::format("the worker exited with status {}", WEXITSTATUS(wait_status)), ""};
  const int number = WTERMSIG(wait_status);
  const std::string name = signal_name(number);
  const std::string what = sigdescr_np(number) == nullptr ? "" : fmt::format(" ({})", sigdescr_np(number));
  return {fmt::format("{}{}{}", name, what,
                      number == SIGKILL ? ": killed from outside, perhaps because memory ran out" : ""),
          name};
}

class Supervisor {
 public:
  Supervisor(const SupervisorOptions& options, const SupervisorCalls& calls)
      : calls_(calls),
        stop_(options.stop),
        grace_(seconds(options.grace_s)),
        dump_(options.dump),
        wait_for_quiet_(options.wait_for_quiet) {
    memory_bytes_ = options.worker_memory_bytes;
    if (memory_bytes_ == 0) memory_bytes_ = available_memory() / 20 * 19;
    if (options.time_budget_s) {
      end_ = Clock::now() + seconds(*options.time_budget_s);
    }
  }

  std::size_t run(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      if (is_stopped() || (end_ && Clock::now() >= *end_)) {
        left_ += block.size();
      } else {
        run_block(block);
      }
    }
    return left_;
  }

 private:
  enum class Ending { block_done, died, too_long, stopped };

  static Clock::duration seconds(double s) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(s));
  }

  bool is_stopped() const { return stop_ != nullptr && stop_->caught() != 0; }

  /// True if the current block must be abandoned: the grace time after a signal is over, or another signal followed.
  bool must_leave() {
    if (!is_stopped()) return false;
    if (!grace_end_) grace_end_ = Clock::now() + grace_;
    return stop_->insists() || Clock::now() >= *grace_end_;
  }

  void run_block(const Block& block) {
    block_ = &block;
    results_.assign(block.size(), {});
    sent_.resize(block.size());
    for (std::size_t i = 0; i < sent_.size(); ++i) sent_[i] = i;
    int deaths_without_cell = 0;
    while (!sent_.empty()) {
      if (!worker_) worker_ = std::make_unique<WorkerProcess>(memory_bytes_);
      open_ = sent_;
      // A worker that has already died takes no message; reading from it shows how it ended.
      static_cast<void>(worker_->channel().send(to_json(task()).dump() + '\n'));
      const Ending ending = listen();
      if (ending == Ending::block_done) break;
      if (ending == Ending::stopped) {
        worker_.reset();
        left_ += open_.size();
        break;
      }
      const int at = worker_->now().cell.load();
      const Step step = worker_->now().step.load(std::memory_order_acquire);
      if (ending == Ending::too_long) worker_->kill();
      const Death death = describe_death(worker_->wait());
      worker_.reset();
      const std::string where = fmt::format(" in {}", to_name(step));
      const std::string reason = ending == Ending::too_long
                                     ? fmt::format("took longer than {:.3g} s{}", step_limit(at), where)
                                     : death.reason + where;
      const Status status = ending == Ending::too_long ? Status::timeout : Status::crashed;
      const std::string signal = ending == Ending::too_long ? "" : death.signal;
      if (at != NowDoing::kNoCell) {
        const std::size_t cell = sent_[static_cast<std::size_t>(at)];
        if (std::ranges::find(open_, cell) != open_.end()) lose(cell, status, reason, signal);
      } else if (std::exchange(leaving_, false) && open_.size() < sent_.size()) {
        // The worker's device failed, and the cell at fault was reported.
      } else if (++deaths_without_cell == 2 || ending == Ending::too_long) {
        for (const std::size_t cell : std::vector(open_)) lose(cell, status, reason, signal);
      }
      sent_ = open_;
    }
  }

  /// The task of the cells in sent_, with the samples of earlier workers.
  BlockTask task() const {
    BlockTask task;
    task.dump = dump_;
    task.wait_for_quiet = wait_for_quiet_;
    std::string ids;
    std::size_t taken = 0;
    for (const std::size_t i : sent_) {
      task.cells.push_back((*block_)[i]);
      task.samples.emplace_back();
      for (const Sample& sample : results_[i].samples) task.samples.back().push_back(sample);
      task.spent_s.push_back(results_[i].spent_s);
      ids += cell_id((*block_)[i].subject);
      taken += results_[i].samples.size();
    }
    task.order_seed = text_hash(ids) + taken;
    if (end_) task.time_left_s = std::max(0.0, std::chrono::duration<double>(*end_ - Clock::now()).count());
    return task;
  }

  double step_limit(int at) const {
    if (at == NowDoing::kNoCell) {  // it was making the input, or waiting for cores
      const double patience_s = wait_for_quiet_ ? 3600 : 5;
      const Cell& first = (*block_)[sent_.front()];
      return first.protocol.step_limit(first.subject.n) + patience_s;
    }
    const Cell& cell = (*block_)[sent_[static_cast<std::size_t>(at)]];
    return cell.protocol.step_limit(cell.subject.n);
  }

  Ending listen() {
    std::int64_t begin_ns = NowDoing::now_ns();  // earliest begin of a step's time
    std::uint32_t continuations = continuations_.count();
    while (true) {
      if (must_leave()) return Ending::stopped;
      while (const auto line = worker_->channel().next()) {
        const WorkerEvent event = event_from_json(*line);
        if (std::holds_alternative<event::BlockDone>(event)) return Ending::block_done;
        std::visit([this](const auto& of_kind) { take(of_kind); }, event);
      }
      // After a suspension the step's full time limit starts again.
      if (const std::uint32_t now = continuations_.count(); now != continuations) {
        continuations = now;
        begin_ns = NowDoing::now_ns();
      }
      const std::int64_t since = std::max(begin_ns, worker_->now().since_ns.load());
      const double limit = step_limit(worker_->now().cell.load());
      const double remaining = limit - 1e-9 * static_cast<double>(NowDoing::now_ns() - since);
      if (remaining <= 0) {
        if (!worker_->is_stopped()) return Ending::too_long;
        begin_ns = NowDoing::now_ns();
        continue;
      }
      // Wakes at an event, at the end of the worker, at a signal, or when the current step's time is up. During long
      // steps it also wakes in between, to detect a suspension of all processes that no signal reports, as in a frozen
      // container.
      const double longest_wait_s = grace_end_ ? 0.5 : 5;
      constexpr double noticed_s = 1;
      const double wait_s = std::min(remaining, longest_wait_s);
      const std::int64_t asked_ns = NowDoing::now_ns();
      std::array<pollfd, 2> files{
          {{.fd = worker_->channel().socket(), .events = POLLIN, .revents = 0},
           {.fd = stop_ == nullptr || grace_end_ ? -1 : stop_->wake(), .events = POLLIN, .revents = 0}}};
      const int ready = poll(files.data(), files.size(), 1 + static_cast<int>(1000 * wait_s));
      if (ready < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "poll");
      const double waited_s = 1e-9 * static_cast<double>(NowDoing::now_ns() - asked_ns);
      if (waited_s > wait_s + noticed_s) begin_ns = NowDoing::now_ns();
      if (ready > 0 && files[0].revents != 0 && !worker_->channel().receive()) return Ending::died;
    }
  }

  void take(const event::Ready& ready) { counters_reason_ = ready.counters_reason; }

  void take(const event::InputMade& made) {
    for (CellResult& result : results_) {
      result.device = made.device;
      result.input_digest = made.digest;
      if (made.entropy_bits) result.entropy_bits = made.entropy_bits;
    }
  }

  void take(const event::NoInput& none) {
    for (const std::size_t cell : std::vector(open_)) lose(cell, Status::failed, none.reason, "");
  }

  void take(const event::Prepared& prepared) {
    CellResult& result = results_[sent_.at(prepared.cell)];
    result.scratch_bytes = prepared.scratch_bytes;
    result.affinity = prepared.affinity;
  }

  void take(const event::SampleTaken& taken) {
    const std::size_t index = sent_.at(taken.cell);
    CellResult& result = results_[index];
    result.samples.push_back(taken.sample);
    result.verification = taken.verification;
    result.spent_s = taken.spent_s;
    calls_.running((*block_)[index]);
  }

  void take(const event::Done& done) {
    const std::size_t index = sent_.at(done.cell);
    results_[index].status = Status::ok;
    results_[index].stopped = done.stopped;
    results_[index].called_s = done.called_s;
    finish(index);
  }

  void take(const event::Lost& lost) {
    const std::size_t index = sent_.at(lost.cell);
    results_[index].verification = lost.verification;
    results_[index].limit = lost.limit;
    lose(index, lost.status, lost.reason, "");
  }

  void take(const event::Dropped& dropped) {
    ++left_;
    std::erase(open_, sent_.at(dropped.cell));
  }

  void take(const event::Leaving&) { leaving_ = true; }

  void take(const event::BlockDone&) {}

  void lose(std::size_t index, Status status, const std::string& reason, const std::string& signal) {
    results_[index].status = status;
    results_[index].reason = reason;
    results_[index].signal = signal;
    finish(index);
  }

  void finish(std::size_t index) {
    CellResult& result = results_[index];
    result.counters_reason = counters_reason_;
    std::erase(open_, index);
    calls_.finished((*block_)[index], result);
  }

  const SupervisorCalls& calls_;
  const StopSignals* stop_;
  Continuations continuations_;
  const Clock::duration grace_;
  std::optional<Clock::time_point> grace_end_;  ///< end of the grace time, known from the first signal on
  const std::string dump_;
  const bool wait_for_quiet_;
  std::uint64_t memory_bytes_ = 0;
  std::optional<Clock::time_point> end_;
  std::unique_ptr<WorkerProcess> worker_;
  std::string counters_reason_;
  bool leaving_ = false;  ///< the worker has announced its end
  std::size_t left_ = 0;

  const Block* block_ = nullptr;
  std::vector<CellResult> results_;  ///< results of block_
  std::vector<std::size_t> sent_;    ///< cells of block_ that the worker has, in its order
  std::vector<std::size_t> open_;    ///< cells in sent_ that have not ended
};

}  // namespace

std::size_t supervise(const std::vector<Block>& blocks, const SupervisorOptions& options,
                      const SupervisorCalls& calls) {
  return Supervisor(options, calls).run(blocks);
}

}  // namespace sortlab
