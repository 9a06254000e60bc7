#include "algorithms/common/thread_team.hpp"

#include <pthread.h>
#include <sched.h>

namespace sortlab {

ThreadTeam::ThreadTeam(int threads, const std::vector<int>& cpus) : size_(threads), gate_(threads), meet_(threads) {
  for (int thread = 1; thread < threads; ++thread) {
    threads_.emplace_back([this, thread] {
      while (true) {
        gate_.arrive_and_wait();
        if (task_ == nullptr) return;
        (*task_)(thread);
        gate_.arrive_and_wait();
      }
    });
    if (static_cast<std::size_t>(thread) < cpus.size()) {
      cpu_set_t set;
      CPU_ZERO(&set);
      CPU_SET(static_cast<std::size_t>(cpus[static_cast<std::size_t>(thread)]), &set);
      // Pinning is a wish: a container may not allow it, and the sort is right without.
      pthread_setaffinity_np(threads_.back().native_handle(), sizeof set, &set);
    }
  }
}

ThreadTeam::~ThreadTeam() {
  task_ = nullptr;
  if (size_ > 1) gate_.arrive_and_wait();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::run(const std::function<void(int)>& task) {
  task_ = &task;
  if (size_ > 1) gate_.arrive_and_wait();
  task(0);
  if (size_ > 1) gate_.arrive_and_wait();
}

}  // namespace sortlab
