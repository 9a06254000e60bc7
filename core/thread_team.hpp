// A team of threads that a parallel sort keeps from one call to the next: made (and pinned) in prepare, asleep between
// calls, so that a timed sort pays for waking its threads and not for creating them.
//
// std::thread and std::atomic only: sanitizers understand them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace sortlab {

/// Time that a thread spins for others before it sleeps.
struct Patience {
  int looks = 0;   ///< spins with a pause of 40 to 140 cycles after each
  int yields = 0;  ///< further spins that yield the processor: about a microsecond each if no other thread is ready
};

/// The patience of a thread within a run of a team of `threads`. Sleeping is expensive: a wake-up costs both the waking
/// and the woken thread more time than a pass over a small input.
Patience patience_within_run(int threads);

/// A reusable barrier.
class alignas(64) MeetingPoint {
 public:
  /// `patience`: how long a thread that arrives early spins before it sleeps.
  explicit MeetingPoint(Patience patience) : patience_(patience) {}

  /// Returns once `threads` threads have arrived. The next meeting may have fewer, as soon as these have left.
  void arrive_and_wait(int threads);

 private:
  Patience patience_;
  std::atomic<int> come_ = 0;                  ///< threads that arrived at the current meeting
  alignas(64) std::atomic<int> meetings_ = 0;  ///< completed meetings; on another line than arriving threads write
};

class ThreadTeam {
 public:
  /// `cpus`: one logical processor per thread to pin it to, or empty. The caller is thread 0, pinned while it runs.
  ThreadTeam(int threads, const std::vector<int>& cpus);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return size_; }

  /// Calls task(thread) on every thread of the team, thread 0 being the caller, and returns when all have ended.
  /// The task must not throw.
  void run(const std::function<void(int thread)>& task);

  /// Called within a task by every thread: none continues before all have arrived.
  void wait() {
    if (size_ > 1) meet_.arrive_and_wait(size_);
  }

 private:
  std::vector<int> thread_cpus(int thread) const;

  int size_;
  std::vector<int> cpus_;
  MeetingPoint gate_;                               ///< at the beginning of a run
  MeetingPoint meet_;                               ///< within a run, and at its end
  const std::function<void(int)>* task_ = nullptr;  ///< null: the team ends
  std::vector<std::thread> threads_;
};

}  // namespace sortlab
