#include "core/thread_team.hpp"

#include "core/affinity.hpp"

namespace sortlab {
namespace {

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Threads that share processors do not spin: the awaited thread could not run meanwhile.
Patience bounded_patience(int threads, Patience patience) {
  if (static_cast<unsigned>(threads) > std::thread::hardware_concurrency()) patience.looks = 0;
  return patience;
}

// A team with nothing to do soon leaves its processors to others.
constexpr Patience kBetweenRuns{.looks = 1 << 12, .yields = 16};
constexpr Patience kWithinRun{.looks = 1 << 12, .yields = 1 << 10};

}  // namespace

Patience patience_within_run(int threads) {
  return bounded_patience(threads, kWithinRun);
}

void MeetingPoint::arrive_and_wait(int threads) {
  const int meeting = meetings_.load(std::memory_order_relaxed);  // lasts until this thread has arrived
  if (come_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads) {
    come_.store(0, std::memory_order_relaxed);
    meetings_.store(meeting + 1, std::memory_order_release);
    meetings_.notify_all();
    return;
  }
  for (int i = 0; i < patience_.looks + patience_.yields; ++i) {
    if (meetings_.load(std::memory_order_acquire) != meeting) return;
    if (i < patience_.looks) {
      pause_briefly();
    } else {
      std::this_thread::yield();
    }
  }
  meetings_.wait(meeting, std::memory_order_acquire);
}

ThreadTeam::ThreadTeam(int threads, const std::vector<int>& cpus)
    : size_(threads), cpus_(cpus), gate_(bounded_patience(threads, kBetweenRuns)), meet_(patience_within_run(threads)) {
  for (int thread = 1; thread < threads; ++thread) {
    threads_.emplace_back([this, thread] {
      pin_to(thread_cpus(thread));
      while (true) {
        gate_.arrive_and_wait(size_);
        if (task_ == nullptr) return;
        (*task_)(thread);
        meet_.arrive_and_wait(size_);
      }
    });
  }
}

ThreadTeam::~ThreadTeam() {
  task_ = nullptr;
  if (size_ > 1) gate_.arrive_and_wait(size_);
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::run(const std::function<void(int)>& task) {
  if (size_ == 1) return task(0);
  // A caller on the processor of another thread of the team would keep it waiting.
  const Pinned here{thread_cpus(0)};
  task_ = &task;
  gate_.arrive_and_wait(size_);
  task(0);
  meet_.arrive_and_wait(size_);
}

std::vector<int> ThreadTeam::thread_cpus(int thread) const {
  if (static_cast<std::size_t>(thread) >= cpus_.size()) return {};
  return {cpus_[static_cast<std::size_t>(thread)]};
}

}  // namespace sortlab
