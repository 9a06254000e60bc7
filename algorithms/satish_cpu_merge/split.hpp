// Multiway selection: finds the begin of a thread's share of the output in each of many sorted runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/satish_cpu_merge/fifo_tree.hpp"

namespace sortlab::satish_merge {

/// Finds a position in each run such that `rank` elements lie before the positions, none greater than any after them.
template <class Lane>
class Splitter {
 public:
  explicit Splitter(std::size_t runs) : low_(runs), high_(runs), less_(runs), upto_(runs) {}

  /// The position in each run. Valid until the next call.
  std::span<const std::size_t> split(std::span<const Run<Lane>> runs, std::size_t rank) {
    std::size_t candidates = 0;  // elements between low_ and high_
    for (std::size_t i = 0; i < runs.size(); ++i) {
      low_[i] = 0;
      high_[i] = runs[i].size;
      candidates += runs[i].size;
    }
    // Quickselect: a pivot drawn at random from all candidates halves their number on average, on any input.
    std::uint64_t random = 1;
    while (candidates > 0) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      const Lane pivot = candidate(runs, (random >> 33) % candidates);
      std::size_t less = 0;
      std::size_t upto = 0;
      for (std::size_t i = 0; i < runs.size(); ++i) {
        const Lane* const begin = runs[i].begin;
        const Lane* const first = std::lower_bound(begin + low_[i], begin + high_[i], pivot);
        less += less_[i] = static_cast<std::size_t>(first - begin);
        upto += upto_[i] = static_cast<std::size_t>(std::upper_bound(first, begin + high_[i], pivot) - begin);
      }
      if (less <= rank && rank <= upto) {
        share_equals(rank - less);
        break;
      }
      std::swap(less > rank ? high_ : low_, less > rank ? less_ : upto_);
      candidates = 0;
      for (std::size_t i = 0; i < runs.size(); ++i) candidates += high_[i] - low_[i];
    }
    return low_;
  }

 private:
  Lane candidate(std::span<const Run<Lane>> runs, std::size_t index) const {
    std::size_t run = 0;
    for (; index >= high_[run] - low_[run]; ++run) index -= high_[run] - low_[run];
    return runs[run].begin[low_[run] + index];
  }

  /// Divides the elements equal to the pivot: the first `missing` of them lie before the positions.
  void share_equals(std::size_t missing) {
    for (std::size_t i = 0; i < low_.size(); ++i) {
      const std::size_t some = std::min(missing, upto_[i] - less_[i]);
      low_[i] = less_[i] + some;
      missing -= some;
    }
  }

  std::vector<std::size_t> low_;   ///< elements before these precede the positions
  std::vector<std::size_t> high_;  ///< elements from these on follow the positions
  std::vector<std::size_t> less_;
  std::vector<std::size_t> upto_;
};

}  // namespace sortlab::satish_merge
