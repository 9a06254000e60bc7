// A group of neighbouring threads of the team, which sorts one bucket together, and where its threads meet.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace sortlab::paradis {

/// Where the threads of a group meet. Groups form and dissolve within a sort, so a meeting is told how many come; a
/// smaller group may use it as soon as its own threads have left the meeting of the larger one.
class alignas(64) Meeting {
 public:
  /// Before a thread sleeps: about what waking one takes, and none where threads share processors, as in ThreadTeam.
  int spins = 0;

  void arrive_and_wait(int threads) {
    if (threads == 1) return;
    const std::uint32_t now = held_.load();
    if (arrived_.fetch_add(1) + 1 == threads) {
      arrived_.store(0);
      held_.store(now + 1);
      held_.notify_all();
      return;
    }
    for (int i = 0; i < spins && held_.load(std::memory_order_relaxed) == now; ++i) pause();
    while (held_.load() == now) held_.wait(now);
  }

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }

 private:
  std::atomic<int> arrived_ = 0;
  std::atomic<std::uint32_t> held_ = 0;  ///< meetings that have been held
};

/// Threads [first, first + size) of the team.
struct Group {
  int first = 0;
  int size = 1;

  bool has(int thread) const { return thread >= first && thread < first + size; }
  /// Part `index` of `parts` equal ones of `n` begins here.
  static std::uint64_t cut(std::uint64_t n, int index, int parts) {
    const auto of = static_cast<std::uint64_t>(parts);
    const auto at = static_cast<std::uint64_t>(index);
    return n / of * at + n % of * at / of;
  }
};

}  // namespace sortlab::paradis
