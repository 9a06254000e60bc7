// The number of passes that comb sort makes over a block of AA-sort. The passes with gaps are known in advance. The
// number of final passes depends on the keys, and is counted by sorting them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "algorithms/aa_sort/comb_gap.hpp"

namespace sortlab::aa {

/// Keys of a block, lane by lane: lane k of vector i has position k * vectors + i, which is also its place in
/// transposed order, so that a gap in that order is a distance here.
template <class Key>
class CombedBlock {
 public:
  /// Takes vectors of `lanes` keys each, and sorts each vector, as the block's first step does.
  CombedBlock(std::span<const std::uint64_t> keys, std::size_t lanes, auto narrowed)
      : lanes_(lanes), vectors_(keys.size() / lanes), keys_(keys.size()) {
    std::vector<Key> vector(lanes);
    for (std::size_t i = 0; i < vectors_; ++i) {
      std::ranges::transform(keys.subspan(i * lanes, lanes), vector.begin(), narrowed);
      std::ranges::sort(vector);
      for (std::size_t k = 0; k < lanes; ++k) keys_[k * vectors_ + i] = vector[k];
    }
  }

  std::size_t vectors() const { return vectors_; }

  /// Compare-exchanges each key with that a gap later, as AA-sort does: vector after vector, all lanes at once. First
  /// come the vectors whose partner is in the same or a later lane; then those whose partner lies beyond the end of
  /// that lane. Lanes are taken in an order that leaves each key's exchanges in sequence.
  void comb(std::size_t gap) {
    const std::size_t by = gap / vectors_;
    const std::size_t apart = gap % vectors_;
    for (std::size_t k = 0; k + by < lanes_; ++k) exchange(at(k, 0), at(k + by, apart), vectors_ - apart);
    for (std::size_t k = lanes_ - by - 1; k-- > 0;) exchange(at(k, vectors_ - apart), at(k + by + 1, 0), apart);
  }

  /// Compare-exchanges neighbours in transposed order. True if any two changed places.
  bool bubble() {
    bool changed = false;
    for (std::size_t k = 0; k < lanes_; ++k) {
      for (Key* key = at(k, 0); key != at(k, 0) + vectors_ - 1; ++key) changed |= ordered(key[0], key[1]);
    }
    for (std::size_t k = lanes_ - 1; vectors_ > 1 && k-- > 0;) changed |= ordered(*at(k, vectors_ - 1), *at(k + 1, 0));
    return changed;
  }

  /// The largest number of greater keys before a key, in transposed order.
  std::size_t most_inversions() const {
    std::vector<Key> ascending = keys_;
    std::ranges::sort(ascending);
    std::vector<std::size_t> not_greater(keys_.size() + 1);  // Fenwick tree over the keys' ranks
    std::size_t most = 0;
    std::size_t before = 0;
    for (const Key key : keys_) {
      const auto after = std::ranges::upper_bound(ascending, key);
      const auto rank = static_cast<std::size_t>(after - ascending.begin());
      std::size_t count = 0;
      for (std::size_t r = rank; r > 0; r -= r & -r) count += not_greater[r];
      most = std::max(most, before - count);
      for (std::size_t r = rank; r < not_greater.size(); r += r & -r) ++not_greater[r];
      ++before;
    }
    return most;
  }

 private:
  Key* at(std::size_t lane, std::size_t vector) { return keys_.data() + lane * vectors_ + vector; }

  static void exchange(Key* low, Key* high, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const Key smaller = std::min(low[i], high[i]);
      high[i] = std::max(low[i], high[i]);
      low[i] = smaller;
    }
  }

  static bool ordered(Key& low, Key& high) {
    const bool changed = high < low;
    const Key smaller = std::min(low, high);
    high = std::max(low, high);
    low = smaller;
    return changed;
  }

  std::size_t lanes_, vectors_;
  std::vector<Key> keys_;
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

template <class Key>
int last_passes(CombedBlock<Key> block, std::size_t lanes, int simulated) {
  for_each_gap(block.vectors(), lanes, [&](std::size_t gap) { block.comb(gap); });
  int passes = 0;
  for (bool changed = block.vectors() > 0; changed; ++passes) {
    if (passes == simulated) return passes + static_cast<int>(block.most_inversions()) + 1;
    changed = block.bubble();
  }
  return passes;
}

/// Number of bubble-sort passes after the gap passes for an unsorted block, including the last, which changes nothing.
/// Beyond `simulated` an estimate: a pass takes each key past one greater key before it.
inline int last_passes(std::vector<std::uint64_t> keys, std::size_t lanes, int simulated = kSimulatedPasses) {
  // The last vector is padded with largest keys. Of keys of 4 bytes, compilers make vectors without asking for more
  // than every processor has, if they are signed.
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  const bool narrow = std::ranges::all_of(keys, [](std::uint64_t key) { return key <= most; });
  keys.resize((keys.size() + lanes - 1) / lanes * lanes, narrow ? most : std::numeric_limits<std::uint64_t>::max());
  if (narrow) {
    const auto as_signed = [](std::uint64_t key) {
      return static_cast<std::int32_t>(static_cast<std::uint32_t>(key) ^ 1U << 31U);
    };
    return last_passes(CombedBlock<std::int32_t>{keys, lanes, as_signed}, lanes, simulated);
  }
  return last_passes(CombedBlock<std::uint64_t>{keys, lanes, std::identity{}}, lanes, simulated);
}

}  // namespace sortlab::aa
