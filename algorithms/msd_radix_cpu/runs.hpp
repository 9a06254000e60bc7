// Inputs of a few long runs: one scan finds the runs, which are reversed if descending, and merged. The scan gives up
// at the first short run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "algorithms/common/host/fetch_ahead.hpp"
#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "algorithms/msd_radix_cpu/two_runs.hpp"
#include "core/key_types.hpp"
#include "core/loop_mark.hpp"
#include "core/stream_lines.hpp"

namespace sortlab::msd {

/// Orders pairs by their keys.
struct PairLess {
  template <class K, class V>
  bool operator()(const Pair<K, V>& a, const Pair<K, V>& b) const {
    return KeyLess{}(a.key, b.key);
  }
};

/// InOrder, the sortedness check, for keys that are not words.
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
      SORTLAB_LOOP("msd.keys_in_order", 1, sizeof(K), !std::is_arithmetic_v<K> ? 2 : std::is_floating_point_v<K>);
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

  /// Finds the runs and their directions. False if there are more than `most`, or if one is short.
  bool find(std::size_t most, const InOrder<K>& in_order) {
    count_ = 0;
    for (std::uint64_t begin = 0; begin < n_;) {
      if (count_ == most) return false;
      const K* const keys = keys_ + begin;
      const std::uint64_t left = n_ - begin;
      const auto is_long = [&](std::uint64_t run) { return run == left || is_long_run(run, n_); };
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

  /// Merges all runs into one, through spare arrays as long as those of the keys and values.
  void merge(K* spare_keys, V* spare_values) {
    Elements from{keys_, values_};
    Elements to{spare_keys, spare_values};
    // After an even number of moves the keys are back in their array. Two runs therefore move once more, while
    // descending runs are reversed.
    const bool once_more = count_ == 2;
    for (std::size_t i = 0; i < count_; ++i) once_more ? copy_rising(i, from, to) : make_rising(i);
    if (once_more) std::swap(from, to);
    for (; count_ > 1; std::swap(from, to)) merge_pairs(from, to);
  }

 private:
  using Elements = RunElements<K, V>;

  std::uint64_t run_begin(std::size_t run) const { return run == 0 ? 0 : ends_[run - 1]; }

  void make_rising(std::size_t run) {
    if (!descends_[run]) return;
    std::reverse(keys_ + run_begin(run), keys_ + ends_[run]);
    if constexpr (!alone) std::reverse(values_ + run_begin(run), values_ + ends_[run]);
  }

  void copy_rising(std::size_t run, const Elements& from, const Elements& to) const {
    const auto copy = [&](const auto* source, auto* target) {
      const auto* const begin = source + run_begin(run);
      const auto* const end = source + ends_[run];
      descends_[run] ? std::reverse_copy(begin, end, target + run_begin(run))
                     : std::copy(begin, end, target + run_begin(run));
    };
    copy(from.keys, to.keys);
    if constexpr (!alone) copy(from.values, to.values);
  }

  void merge_pairs(const Elements& from, const Elements& to) {
    std::size_t merged = 0;
    for (std::size_t i = 0; i < count_; i += 2) {
      const std::size_t last = std::min(i + 1, count_ - 1);  // a run without a partner is only copied
      TwoRuns<K, V, Less>{from, to, run_begin(i), ends_[i], ends_[last]}.merge();
      ends_[merged++] = ends_[last];
    }
    count_ = merged;
  }

  K* keys_;
  V* values_;
  std::uint64_t n_;
  std::array<std::uint64_t, kMaxRuns> ends_{};
  std::array<bool, kMaxRuns> descends_{};
  std::size_t count_ = 0;
};

}  // namespace sortlab::msd
