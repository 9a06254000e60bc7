// A team of threads that a parallel sort keeps from one call to the next: made (and pinned) in prepare, asleep between
// calls, so that a timed sort pays for waking its threads and not for creating them.
//
// std::thread and std::barrier only: sanitizers understand both.
#pragma once

#include <barrier>
#include <functional>
#include <thread>
#include <vector>

namespace sortlab {

class ThreadTeam {
 public:
  /// `cpus`: one logical processor a thread to pin to, or empty. The caller is thread 0 and is never pinned here.
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
  int size_;
  std::barrier<> gate_;                             ///< begin and end of a run
  std::barrier<> meet_;                             ///< within a run
  const std::function<void(int)>* task_ = nullptr;  ///< null: the team ends
  std::vector<std::thread> threads_;
};

}  // namespace sortlab
