// A team of threads that a parallel sort keeps from one call to the next: made (and pinned) in prepare, asleep between
// calls, so that a timed sort pays for waking its threads and not for creating them.
//
// std::thread, std::barrier and std::atomic only: sanitizers understand them.
#pragma once

#include <atomic>
#include <barrier>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace sortlab {

/// Where `threads` threads meet. A thread that comes first spins for some microseconds before it sleeps: waking a
/// sleeper takes longer than a whole pass over a small input.
class MeetingPoint {
 public:
  explicit MeetingPoint(int threads);
  void arrive_and_wait();

 private:
  std::uint64_t size_;
  int spins_;
  std::atomic<std::uint64_t> arrivals_ = 0;  ///< over all meetings
  std::barrier<> barrier_;
};

class ThreadTeam {
 public:
  /// `cpus`: one logical processor a thread to pin to, or empty. The caller is thread 0, pinned while it runs.
  ThreadTeam(int threads, const std::vector<int>& cpus);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return size_; }

  /// Calls task(thread) on every thread of the team, thread 0 being the caller, and returns when all have ended.
  /// The task must not throw.
  void run(const std::function<void(int thread)>& task);

  /// Called within a task by every thread: none goes on before all have come.
  void wait() {
    if (size_ > 1) meet_.arrive_and_wait();
  }

 private:
  std::vector<int> cpu_of(int thread) const;

  int size_;
  std::vector<int> cpus_;
  MeetingPoint gate_;                               ///< begin and end of a run
  MeetingPoint meet_;                               ///< within a run
  const std::function<void(int)>* task_ = nullptr;  ///< null: the team ends
  std::vector<std::thread> threads_;
};

}  // namespace sortlab
