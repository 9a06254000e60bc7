// Nearly sorted inputs: the misplaced elements are taken out, sorted, and merged with the others from the end.
//
// If two neighbours descend, at least one of them is misplaced. It is unknown which, so both are taken out: at most
// twice as many as necessary. Has no dependencies, since the model reads it (plan.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "algorithms/msd_radix_cpu/in_order.hpp"
#include "core/key_types.hpp"

namespace sortlab::msd {

/// Maximum number of misplaced elements that are taken out; 0: sorting n elements is faster than checking them.
inline constexpr std::uint64_t max_misplaced(std::uint64_t n) {
  constexpr std::uint64_t least = std::uint64_t{1} << 16;
  return n < least ? 0 : std::min<std::uint64_t>(n / 32, 8192);
}

/// Bytes kept for each removed element besides the element itself: its old position.
inline constexpr std::size_t kMisplacedBytes = sizeof(std::uint64_t);

template <class K, class V, class Less = KeyLess>
class Misplaced {
  static constexpr bool alone = std::is_same_v<V, NoValue>;

 public:
  Misplaced(K* keys, V* values, std::uint64_t n) : keys_(keys), values_(values), n_(n) {}

  /// Finds the elements to take out. False if there are, or seem to be, more than `most`.
  bool find(std::uint64_t most, const InOrder& in_order) {
    if (most == 0 || looks_unordered()) return false;
    for (std::uint64_t end = in_order.ascending(keys_, n_); end < n_;) {
      Gap gap{end, end};
      do {
        --gap.begin;
        ++gap.end;
        if ((taken_ += 2) > most) return false;
        if (!gaps_.empty() && gaps_.back().end == gap.begin) {
          gap.begin = gaps_.back().begin;
          gaps_.pop_back();
        }
      } while (gap.begin > 0 && gap.end < n_ && Less{}(keys_[gap.end], keys_[gap.begin - 1]));
      gaps_.push_back(gap);
      end = gap.end == n_ ? n_ : gap.end + in_order.ascending(keys_ + gap.end, n_ - gap.end);
    }
    return true;
  }

  /// Number of elements that are taken out.
  std::uint64_t taken() const { return taken_; }

  /// Puts the misplaced elements in their places.
  void repair() {
    take_out();
    std::sort(taken_out_.begin(), taken_out_.end(),
              [](const Element& a, const Element& b) { return Less{}(a.key, b.key); });
    std::uint64_t kept = n_ - taken_out_.size();
    for (std::uint64_t end = n_; !taken_out_.empty(); taken_out_.pop_back()) {
      const Element& last = taken_out_.back();
      const std::uint64_t greater = first_greater(last.key, kept);
      end -= kept - greater;
      move(greater, kept - greater, end);
      kept = greater;
      --end;
      keys_[end] = last.key;
      if constexpr (!alone) values_[end] = last.value;
    }
  }

 private:
  struct Gap {
    std::uint64_t begin, end;
  };
  struct Element {
    K key;
    [[no_unique_address]] V value;
  };

  /// True if more than a few of some hundred sampled neighbours descend. Ten samples suffice for most inputs.
  bool looks_unordered() const {
    constexpr std::uint64_t looks = 256;
    constexpr int most = 4;
    int descents = 0;
    for (std::uint64_t i = 0; i < looks && descents <= most; ++i) {
      const std::uint64_t at = n_ / looks * i;
      descents += Less{}(keys_[at + 1], keys_[at]) ? 1 : 0;
    }
    return descents > most;
  }

  /// Moves the elements in gaps out of the array, and closes the gaps.
  void take_out() {
    taken_out_.reserve(taken_);
    std::uint64_t kept = gaps_.empty() ? n_ : gaps_.front().begin;
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      for (std::uint64_t at = gaps_[i].begin; at < gaps_[i].end; ++at) {
        if constexpr (alone) {
          taken_out_.push_back({keys_[at], {}});
        } else {
          taken_out_.push_back({keys_[at], values_[at]});
        }
      }
      const std::uint64_t next = i + 1 < gaps_.size() ? gaps_[i + 1].begin : n_;
      move(gaps_[i].end, next - gaps_[i].end, kept);
      kept += next - gaps_[i].end;
    }
  }

  void move(std::uint64_t from, std::uint64_t count, std::uint64_t to) {
    std::memmove(static_cast<void*>(keys_ + to), keys_ + from, count * sizeof(K));
    if constexpr (!alone) std::memmove(values_ + to, values_ + from, count * sizeof(V));
  }

  /// Position of the first of the `kept` elements that is greater than `key`, searched from the end.
  std::uint64_t first_greater(const K& key, std::uint64_t kept) const {
    std::uint64_t step = 1;
    while (step <= kept && Less{}(key, keys_[kept - step])) step *= 2;
    return static_cast<std::uint64_t>(
        std::upper_bound(keys_ + (kept - std::min(step, kept)), keys_ + (kept - step / 2), key, Less{}) - keys_);
  }

  K* keys_;
  V* values_;
  std::uint64_t n_;
  std::uint64_t taken_ = 0;
  std::vector<Gap> gaps_;  ///< in ascending order, not adjacent
  std::vector<Element> taken_out_;
};

}  // namespace sortlab::msd
