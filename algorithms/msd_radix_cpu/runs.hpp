// Inputs that are in order but for a few long runs: found while they are looked through, reversed where they descend,
// and merged. Others are given up within their first stretch that is not in order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "algorithms/common/fetch_ahead.hpp"
#include "algorithms/common/stream_lines.hpp"
#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "generators/key_types.hpp"

namespace sortlab::msd {

/// Up to this many runs are merged rather than sorted: each merge costs about as much as two levels of quicksort.
inline constexpr std::size_t kMostRuns = 4;

/// Pairs by their keys.
struct PairLess {
  template <class K, class V>
  bool operator()(const Pair<K, V>& a, const Pair<K, V>& b) const {
    return KeyLess{}(a.key, b.key);
  }
};

/// InOrder for keys that are no words.
template <class K, bool descending, class Less = KeyLess>
std::size_t keys_in_order(const K* keys, std::size_t n) {
  const auto follows = [keys](std::size_t i) {
    return !(descending ? Less{}(keys[i - 1], keys[i]) : Less{}(keys[i], keys[i - 1]));
  };
  constexpr std::size_t line = kLineBytes / sizeof(K);
  std::size_t i = 1;
  for (; i + line <= n; i += line) {
    fetch_ahead(keys + i);
    for (std::size_t k = 0; k < line; ++k) {
      if (!follows(i + k)) return i + k;
    }
  }
  while (i < n && follows(i)) ++i;
  return i;
}

template <class K, class V, class Less = KeyLess>
class Runs {
  static constexpr bool alone = std::is_same_v<V, NoValue>;

 public:
  Runs(K* keys, V* values, std::uint64_t n) : keys_(keys), values_(values), n_(n) {}

  /// Finds the runs, and which of them descend. False if there are more than `most`, or a short one among them.
  bool find(std::size_t most, const InOrder<K>& in_order) {
    count_ = 0;
    for (std::uint64_t begin = 0; begin < n_;) {
      if (count_ == most) return false;
      const K* const keys = keys_ + begin;
      const std::uint64_t left = n_ - begin;
      const auto is_long = [&](std::uint64_t run) { return run == left || run >= n_ / (2 * kMostRuns); };
      const std::uint64_t up = in_order.ascending(keys, left);
      // Equal keys may begin a run that descends.
      const bool may_descend = up < left && (!is_long(up) || !Less{}(keys[0], keys[up - 1]));
      const std::uint64_t down = may_descend ? in_order.descending(keys, left) : 0;
      if (!is_long(std::max(up, down))) return false;
      descends_[count_] = down > up;
      ends_[count_++] = begin += std::max(up, down);
    }
    return true;
  }

  /// Makes one run of all, through `spare`, an array as long as the keys', and one as long as the values'.
  void merge(K* spare_keys, V* spare_values) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (descends_[i]) reverse(i == 0 ? 0 : ends_[i - 1], ends_[i]);
    }
    while (count_ > 1) {
      std::size_t merged = 0;
      for (std::size_t i = 0; i < count_; i += 2) {
        const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
        if (i + 1 < count_) merge_two(begin, ends_[i], ends_[i + 1], spare_keys, spare_values);
        ends_[merged++] = ends_[std::min(i + 1, count_ - 1)];
      }
      count_ = merged;
    }
  }

 private:
  void reverse(std::uint64_t begin, std::uint64_t end) {
    std::reverse(keys_ + begin, keys_ + end);
    if constexpr (!alone) std::reverse(values_ + begin, values_ + end);
  }

  /// The first run goes to the spare arrays, and is merged back with the second.
  void merge_two(std::uint64_t begin, std::uint64_t middle, std::uint64_t end, K* spare_keys, V* spare_values) {
    std::copy(keys_ + begin, keys_ + middle, spare_keys);
    if constexpr (!alone) std::copy(values_ + begin, values_ + middle, spare_values);
    const std::uint64_t left_end = middle - begin;
    std::uint64_t left = 0;
    std::uint64_t right = middle;
    for (std::uint64_t to = begin; left < left_end; ++to) {
      const bool from_right = right < end && Less{}(keys_[right], spare_keys[left]);
      keys_[to] = from_right ? keys_[right] : spare_keys[left];
      if constexpr (!alone) values_[to] = from_right ? values_[right] : spare_values[left];
      right += from_right ? 1 : 0;
      left += from_right ? 0 : 1;
    }
  }

  K* keys_;
  V* values_;
  std::uint64_t n_;
  std::array<std::uint64_t, kMostRuns> ends_{};
  std::array<bool, kMostRuns> descends_{};
  std::size_t count_ = 0;
};

}  // namespace sortlab::msd
