#include "algorithms/common/thread_team.hpp"

#include "algorithms/common/affinity.hpp"

namespace sortlab {
namespace {

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// About 50 microseconds where a pause takes 40 cycles, what waking a thread takes. None when threads share cores: the
/// one that is waited for could not run meanwhile.
int spins_of(int threads) {
  return static_cast<unsigned>(threads) <= std::thread::hardware_concurrency() ? 4096 : 0;
}

}  // namespace

MeetingPoint::MeetingPoint(int threads)
    : size_(static_cast<std::uint64_t>(threads)), spins_(spins_of(threads)), barrier_(threads) {}

void MeetingPoint::arrive_and_wait() {
  const std::uint64_t all = (arrivals_.fetch_add(1) / size_ + 1) * size_;  // arrivals once this meeting is complete
  for (int i = 0; i < spins_ && arrivals_.load(std::memory_order_relaxed) < all; ++i) pause_briefly();
  barrier_.arrive_and_wait();
}

ThreadTeam::ThreadTeam(int threads, const std::vector<int>& cpus)
    : size_(threads), cpus_(cpus), gate_(threads), meet_(threads) {
  for (int thread = 1; thread < threads; ++thread) {
    threads_.emplace_back([this, thread] {
      pin_to(cpu_of(thread));
      while (true) {
        gate_.arrive_and_wait();
        if (task_ == nullptr) return;
        (*task_)(thread);
        gate_.arrive_and_wait();
      }
    });
  }
}

ThreadTeam::~ThreadTeam() {
  task_ = nullptr;
  if (size_ > 1) gate_.arrive_and_wait();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::run(const std::function<void(int)>& task) {
  if (size_ == 1) return task(0);
  // A caller on the processor of another thread of the team would keep it waiting.
  const Pinned here{cpu_of(0)};
  task_ = &task;
  gate_.arrive_and_wait();
  task(0);
  gate_.arrive_and_wait();
}

std::vector<int> ThreadTeam::cpu_of(int thread) const {
  if (static_cast<std::size_t>(thread) >= cpus_.size()) return {};
  return {cpus_[static_cast<std::size_t>(thread)]};
}

}  // namespace sortlab
