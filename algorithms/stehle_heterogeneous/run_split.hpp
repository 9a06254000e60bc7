// Divides a merge of many sorted runs into independent shares.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/key_types.hpp"

namespace sortlab::heterogeneous {

/// Multisequence selection among adjacent runs: run i is [bounds[i], bounds[i + 1]) of the keys.
template <class K>
class RunSplit {
 public:
  RunSplit(const K* keys, std::span<const std::uint64_t> bounds)
      : keys_(keys),
        bounds_(bounds),
        low_(bounds.size() - 1),
        high_(low_.size()),
        first_equal_(low_.size()),
        behind_equal_(low_.size()) {}

  /// Positions, one in each run, before which `rank` elements lie in total, none greater than any after its position.
  /// Equal elements of earlier runs come first, so that the result is unique and monotone in the rank. Valid until the
  /// next call.
  std::span<const std::uint64_t> at(std::uint64_t rank) {
    std::uint64_t before = 0;  // number of elements before low_
    std::uint64_t open = 0;    // number of elements between low_ and high_
    for (std::size_t run = 0; run < low_.size(); ++run) {
      low_[run] = bounds_[run];
      high_[run] = bounds_[run + 1];
      open += high_[run] - low_[run];
    }
    std::uint64_t random = 1;
    while (open > 0) {
      // As in quickselect: a pivot drawn from all open elements halves them on average, whatever the input.
      random = random * 6364136223846793005U + 1442695040888963407U;
      const auto [less, not_greater] = count_around(open_key((random >> 33) % open));
      if (before + less <= rank && rank <= before + not_greater) {
        take_equals(rank - before - less);
        break;
      }
      if (before + less > rank) {
        std::swap(high_, first_equal_);
        open = less;
      } else {
        std::swap(low_, behind_equal_);
        open -= not_greater;
        before += not_greater;
      }
    }
    return low_;
  }

 private:
  struct Around {
    std::uint64_t less = 0;
    std::uint64_t not_greater = 0;
  };

  K open_key(std::uint64_t index) const {
    std::size_t run = 0;
    for (; index >= high_[run] - low_[run]; ++run) index -= high_[run] - low_[run];
    return keys_[low_[run] + index];
  }

  /// Counts the open elements less than and equal to the pivot, run by run.
  Around count_around(K pivot) {
    Around around;
    for (std::size_t run = 0; run < low_.size(); ++run) {
      const K* const end = keys_ + high_[run];
      const K* const first = std::lower_bound(keys_ + low_[run], end, pivot, KeyLess{});
      // Most runs hold no key that is equal.
      const K* const behind =
          first == end || KeyLess{}(pivot, *first) ? first : std::upper_bound(first, end, pivot, KeyLess{});
      first_equal_[run] = static_cast<std::uint64_t>(first - keys_);
      behind_equal_[run] = static_cast<std::uint64_t>(behind - keys_);
      around.less += first_equal_[run] - low_[run];
      around.not_greater += behind_equal_[run] - low_[run];
    }
    return around;
  }

  void take_equals(std::uint64_t wanted) {
    for (std::size_t run = 0; run < low_.size(); ++run) {
      const std::uint64_t some = std::min(wanted, behind_equal_[run] - first_equal_[run]);
      low_[run] = first_equal_[run] + some;
      wanted -= some;
    }
  }

  const K* keys_;
  std::span<const std::uint64_t> bounds_;
  std::vector<std::uint64_t> low_;  ///< everything before precedes the split position
  std::vector<std::uint64_t> high_;
  std::vector<std::uint64_t> first_equal_;
  std::vector<std::uint64_t> behind_equal_;
};

}  // namespace sortlab::heterogeneous
