// The number of passes that comb sort makes over a block of AA-sort. The passes with gaps are known in advance. The
// number of final passes depends on the keys, and is counted by sorting them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "algorithms/aa_sort/comb_gap.hpp"

namespace sortlab::aa {

/// Vectors of keys in transposed order: lane k of vector i has position k * vectors + i.
class CombedBlock {
 public:
  CombedBlock(std::span<std::uint64_t> keys, std::size_t lanes)
      : keys_(keys), lanes_(lanes), vectors_(keys.size() / lanes) {}

  std::size_t vectors() const { return vectors_; }

  void sort_each() {
    for (std::size_t i = 0; i < vectors_; ++i) std::ranges::sort(keys_.subspan(i * lanes_, lanes_));
  }

  /// Compare-exchanges lane k of vector `low` with lane k + by of vector `high`. True if any two changed places.
  bool exchange(std::size_t low, std::size_t high, std::size_t by) {
    std::uint64_t* const a = keys_.data() + low * lanes_;
    std::uint64_t* const b = keys_.data() + high * lanes_ + by;
    bool changed = false;
    for (std::size_t k = 0; k < lanes_ - by; ++k) {
      changed |= b[k] < a[k];
      const std::uint64_t smaller = std::min(a[k], b[k]);
      b[k] = std::max(a[k], b[k]);
      a[k] = smaller;
    }
    return changed;
  }

  /// The largest number of greater keys before a key, in transposed order.
  std::size_t most_inversions() const {
    std::vector<std::uint64_t> ascending(keys_.begin(), keys_.end());
    std::ranges::sort(ascending);
    std::vector<std::size_t> not_greater(keys_.size() + 1);  // Fenwick tree over the keys' ranks
    std::size_t most = 0;
    std::size_t before = 0;
    for (std::size_t k = 0; k < lanes_; ++k) {
      for (std::size_t i = 0; i < vectors_; ++i, ++before) {
        const auto after = std::ranges::upper_bound(ascending, keys_[i * lanes_ + k]);
        const auto rank = static_cast<std::size_t>(after - ascending.begin());
        std::size_t count = 0;
        for (std::size_t r = rank; r > 0; r -= r & -r) count += not_greater[r];
        most = std::max(most, before - count);
        for (std::size_t r = rank; r < not_greater.size(); r += r & -r) ++not_greater[r];
      }
    }
    return most;
  }

 private:
  std::span<std::uint64_t> keys_;
  std::size_t lanes_, vectors_;
};

/// Calls `pass` for each gap. A gap that is a multiple of m is left out, since it would compare each vector with
/// itself.
inline void for_each_gap(std::size_t m, std::size_t lanes, const auto& pass) {
  for (std::size_t gap = first_gap(m, lanes); gap > 1; gap = next_gap(gap)) {
    if (gap % m != 0) pass(gap);
  }
}

/// Number of passes over m vectors of `lanes` keys that exchange keys a gap apart.
inline int gap_passes(std::size_t m, std::size_t lanes) {
  int passes = 0;
  for_each_gap(m, lanes, [&](std::size_t) { ++passes; });
  return passes;
}

constexpr int kSimulatedPasses = 32;  ///< an ordinary block takes ten; an adversarial one thousands

/// Number of bubble-sort passes after the gap passes for an unsorted block, including the last, which changes nothing.
/// Beyond `simulated` an estimate: a pass takes each key past one greater key before it.
inline int last_passes(std::vector<std::uint64_t> keys, std::size_t lanes, int simulated = kSimulatedPasses) {
  // The last vector is padded with largest keys.
  keys.resize((keys.size() + lanes - 1) / lanes * lanes, std::numeric_limits<std::uint64_t>::max());
  CombedBlock block{keys, lanes};
  const std::size_t m = block.vectors();
  block.sort_each();
  for_each_gap(m, lanes, [&](std::size_t gap) {
    const std::size_t apart = gap % m;
    for (std::size_t i = 0; i < m; ++i) {
      const bool wraps = i + apart >= m;
      block.exchange(i, wraps ? i + apart - m : i + apart, gap / m + (wraps ? 1 : 0));
    }
  });
  int passes = 0;
  for (bool changed = m > 0; changed; ++passes) {
    if (passes == simulated) return passes + static_cast<int>(block.most_inversions()) + 1;
    changed = false;
    for (std::size_t i = 1; i < m; ++i) changed |= block.exchange(i - 1, i, 0);
    if (m > 1) changed |= block.exchange(m - 1, 0, 1);
  }
  return passes;
}

}  // namespace sortlab::aa
