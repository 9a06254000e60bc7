// Which processors the threads of a library run on: those it starts inherit them from the thread that starts them.
#pragma once

#include <sched.h>

#include <vector>

namespace sortlab {

/// Lets the calling thread run on `cpus`; empty: leaves it as it is. What the system refuses is left as it is too.
inline void allow_processors(const std::vector<int>& cpus) {
  if (cpus.empty()) return;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
  sched_setaffinity(0, sizeof set, &set);
}

/// Allows `cpus` for as long as it lives, then what was allowed before: around a call that starts threads, which may
/// come from a thread pinned to one processor.
class ProcessorsAllowed {
 public:
  explicit ProcessorsAllowed(const std::vector<int>& cpus)
      : known_(sched_getaffinity(0, sizeof before_, &before_) == 0) {
    allow_processors(cpus);
  }
  ProcessorsAllowed(const ProcessorsAllowed&) = delete;
  ProcessorsAllowed& operator=(const ProcessorsAllowed&) = delete;
  ~ProcessorsAllowed() {
    if (known_) sched_setaffinity(0, sizeof before_, &before_);
  }

 private:
  cpu_set_t before_{};
  bool known_;
};

}  // namespace sortlab
