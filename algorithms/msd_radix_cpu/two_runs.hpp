// Merges two runs. No branch depends on the keys, so random interleaving takes no longer than a regular one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "algorithms/common/host/merge_path.hpp"
#include "core/key_types.hpp"
#include "core/loop_mark.hpp"

namespace sortlab::msd {

/// Pointers to keys and values; NoValue: no values.
template <class K, class V>
struct RunElements {
  K* keys;
  V* values;
};

/// The runs [begin, middle) and [middle, end) of `from`, to be merged into the same places of `to`, which is separate.
template <class K, class V, class Less>
class TwoRuns {
  static constexpr bool alone = std::is_same_v<V, NoValue>;
  static constexpr std::size_t kParts = 6;  // limited by the number of registers
  /// Elements of a part that are finished while they are in the nearest cache.
  static constexpr std::uint64_t kAtOnce = 256;

 public:
  TwoRuns(const RunElements<K, V>& from, const RunElements<K, V>& to, std::uint64_t begin, std::uint64_t middle,
          std::uint64_t end)
      : from_(from), to_(to), begin_(begin), middle_(middle), end_(end) {}

  /// Merges, and calls `finished(first, last)` for all places of `to`, stretch by stretch.
  ///
  /// Each element waits for the comparison before it, so several independent parts of the merge advance in turn.
  template <class Finished>
  void merge(const Finished& finished) const {
    std::array<Front, kParts> fronts;
    std::array<Front, kParts> ends;
    for (std::size_t part = 0; part < kParts; ++part) fronts[part] = cut(part);
    for (std::size_t part = 0; part < kParts; ++part) ends[part] = cut(part + 1);
    const auto steps_of_all = [&] {
      std::uint64_t least = end_;
      for (std::size_t part = 0; part < kParts; ++part) least = std::min(least, steps(fronts[part], ends[part]));
      return least;
    };
    const TwoRuns here = *this;  // in registers, like `now`: otherwise written keys might alias its members
    for (std::uint64_t n; (n = std::min(steps_of_all(), kAtOnce)) > 0;) {
      std::array<Front, kParts> now = fronts;
      for (std::uint64_t steps = n; steps > 0; --steps) {
        SORTLAB_LOOP("msd.merge", kParts, sizeof(K), alone ? 0 : sizeof(V), std::is_arithmetic_v<K> ? 0 : 1);
#pragma GCC unroll 8
        for (Front& front : now) here.advance(front);
      }
      for (const Front& front : fronts) finished(place(front), place(front) + n);
      fronts = now;
    }
    for (std::size_t part = 0; part < kParts; ++part) {
      finish(fronts[part], ends[part]);
      finished(place(fronts[part]), place(ends[part]));
    }
  }

 private:
  /// The index of the right run's next element, and the sum of both runs' indices, which grows by one with each
  /// element.
  struct Front {
    std::uint64_t right, both;
    std::uint64_t left() const { return both - right; }
  };

  /// Place of the next element in the output.
  std::uint64_t place(const Front& front) const {
    return front.both - middle_;
  }

  Front cut(std::size_t part) const {
    const std::uint64_t place = (end_ - begin_) * part / kParts;
    const std::uint64_t of_left =
        merge_path<K>({from_.keys + begin_, middle_ - begin_}, {from_.keys + middle_, end_ - middle_}, place, Less{});
    return {.right = middle_ + place - of_left, .both = begin_ + middle_ + place};
  }

  /// Number of elements that can be merged before either run is exhausted.
  static std::uint64_t steps(const Front& front, const Front& end) {
    return std::min(end.left() - front.left(), end.right - front.right);
  }

  /// Moves the smaller of the two next elements to the output.
  void advance(Front& front) const {
    const std::uint64_t right = front.right;
    const std::uint64_t left = front.left();
    const std::uint64_t next = place(front);
    const K from_left = from_.keys[left];
    const K from_right = from_.keys[right];
    std::uint64_t is_right = Less{}(from_right, from_left) ? 1 : 0;
    asm("" : "+r"(is_right));  // hides the comparison, of which compilers would make a branch
    if constexpr (alone && std::is_arithmetic_v<K>) {
      to_.keys[next] = is_right != 0 ? from_right : from_left;
    } else {
      const std::uint64_t source = left + (right - left) * is_right;
      to_.keys[next] = from_.keys[source];
      if constexpr (!alone) to_.values[next] = from_.values[source];
    }
    front.right += is_right;
    ++front.both;
  }

  /// Merges the rest of a part, one of whose runs may be exhausted.
  void finish(Front front, const Front& end) const {
    for (std::uint64_t n; (n = steps(front, end)) > 0;) {
      for (; n > 0; --n) advance(front);
    }
    const std::uint64_t rest = front.left() < end.left() ? front.left() : front.right;
    std::copy_n(from_.keys + rest, end.both - front.both, to_.keys + place(front));
    if constexpr (!alone) std::copy_n(from_.values + rest, end.both - front.both, to_.values + place(front));
  }

  RunElements<K, V> from_;
  RunElements<K, V> to_;
  std::uint64_t begin_, middle_, end_;
};

}  // namespace sortlab::msd
