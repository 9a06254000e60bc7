// Pending ranges of a parallel quicksort. An idle thread takes one and sorts it in place.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace sortlab::msd {

struct WordRange {
  std::uint64_t first;
  std::uint64_t n;
  int levels;  ///< remaining recursion depth
  bool sorted = false;
};

/// Maximum recursion depth for a range of n words.
inline int max_levels(std::uint64_t n) {
  return 2 * static_cast<int>(std::bit_width(n));
}

class RangePool {
 public:
  /// Starts a sort of n words, whose ranges follow.
  void begin(std::uint64_t n) {
    unsorted_ = n;
    waiting_.clear();
  }

  void give(const WordRange& range) {
    const std::lock_guard lock{mutex_};
    waiting_.push_back(range);
  }

  void sorted(std::uint64_t n) { unsorted_.fetch_sub(n); }

  /// Takes the next range, or nullopt if all is sorted. Ranges come within microseconds, so threads spin.
  std::optional<WordRange> take() {
    while (unsorted_.load() > 0) {
      {
        const std::lock_guard lock{mutex_};
        if (!waiting_.empty()) {
          const WordRange range = waiting_.back();
          waiting_.pop_back();
          return range;
        }
      }
      std::this_thread::yield();
    }
    return std::nullopt;
  }

 private:
  std::mutex mutex_;
  std::vector<WordRange> waiting_;
  std::atomic<std::uint64_t> unsorted_ = 0;
};

}  // namespace sortlab::msd
