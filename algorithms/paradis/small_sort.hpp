// The sort of buckets that fit into the L1 cache. One thread makes two stable counting passes through a buffer of fixed
// size, by the bits in which so few keys are likely to differ. Insertion then has almost nothing left to do. Small
// sorts are slow because of mispredicted branches (15 cycles each); this one has almost none.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "algorithms/paradis/elements.hpp"
#include "algorithms/paradis/plan.hpp"
#include "core/loop_mark.hpp"

namespace sortlab::paradis {

/// Sorts by insertion. False if it gave up after `moves` moves; the elements are then in some order.
template <class K, class V>
[[gnu::noinline]] bool insertion_sort(const Run<K, V>& run, std::uint64_t moves) {
  for (std::uint64_t i = 1; i < run.n; ++i) {
    SORTLAB_LOOP("paradis.in_place", 1, sizeof(K), (Run<K, V>::value_bytes), kImage<K>);
    const Bits<K> image = ordered<K>(run.keys[i]);
    if (ordered<K>(run.keys[i - 1]) <= image) continue;
    const Element<K, V> element = run.load(i);
    std::uint64_t place = i;
    do {
      SORTLAB_LOOP("paradis.shift", 1, sizeof(K), (Run<K, V>::value_bytes), kImage<K>);
      run.store(place, run.load(place - 1));
      --place;
    } while (place > 0 && ordered<K>(run.keys[place - 1]) > image);
    run.store(place, element);
    if (i - place > moves) return false;
    moves -= i - place;
  }
  return true;
}

/// One thread's buffer and counters.
template <class K, class V>
class SmallSort {
 public:
  static constexpr std::uint64_t largest = kLargestSmall;

  /// For runs of up to `capacity` elements.
  explicit SmallSort(std::uint64_t capacity) : keys_(capacity), values_(has_values ? capacity : 0) {}

  std::uint64_t bytes() const { return keys_.size() * sizeof(Bits<K>) + values_.size() * sizeof(V) + sizeof counts_; }

  /// Sorts a run whose keys differ only in the `rest` lowest bits of their images.
  void sort(const Run<K, V>& run, int rest) {
    const int bits = std::min(kMaxPassBits, bit_width(run.n));
    const int low = std::max(0, rest - 2 * bits);
    two_passes(run, low, std::max(low, rest - bits), rest);
    if (low == 0 || insertion_sort(run, kMaxMoves * run.n)) return;
    for (int begin = 0; begin < rest;
         begin += 2 * kMaxPassBits) {  // many keys are equal in the bits above: use all bits
      two_passes(run, begin, std::min(begin + kMaxPassBits, rest), std::min(begin + 2 * kMaxPassBits, rest));
    }
  }

 private:
  static constexpr bool has_values = Run<K, V>::has_values;
  using Counts = std::array<std::uint16_t, 1U << kMaxPassBits>;

  /// Sorts stably by bits [begin, end) of the images: first by the bits below `middle`, then by the others.
  [[gnu::noinline]] void two_passes(const Run<K, V>& run, int begin, int middle, int end) {
    const Digit<K> first{begin, (std::uint32_t{1} << (middle - begin)) - 1};
    const Digit<K> second{middle, (std::uint32_t{1} << (end - middle)) - 1};
    std::fill_n(counts_[0].begin(), first.radix(), std::uint16_t{0});
    std::fill_n(counts_[1].begin(), second.radix(), std::uint16_t{0});
    for (std::uint64_t i = 0; i < run.n; ++i) {
      SORTLAB_LOOP("paradis.small_count", 1, sizeof(K), kImage<K>);
      ++counts_[0][first(run.keys[i])];
      ++counts_[1][second(run.keys[i])];
    }
    const Run<K, V> buffer{keys_.data(), values_.data(), run.n};
    scatter(run, buffer, first, counts_[0]);
    scatter(buffer, run, second, counts_[1]);
  }

  static void scatter(const Run<K, V>& from, const Run<K, V>& to, Digit<K> digit, Counts& counts) {
    std::uint16_t place = 0;
    for (std::uint32_t d = 0; d < digit.radix(); ++d) {
      SORTLAB_LOOP("paradis.small_prefix", 1);
      const std::uint16_t count = counts[d];
      counts[d] = place;
      place = static_cast<std::uint16_t>(place + count);
    }
    for (std::uint64_t i = 0; i < from.n; ++i) {
      SORTLAB_LOOP("paradis.small_scatter", 1, sizeof(K), (Run<K, V>::value_bytes), kImage<K>);
      const Element<K, V> element = from.load(i);
      to.store(counts[digit(element.key)]++, element);
    }
  }

  std::array<Counts, 2> counts_{};
  std::vector<Bits<K>> keys_;
  std::vector<V> values_;
};

}  // namespace sortlab::paradis
