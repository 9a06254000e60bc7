// The kernels without SIMD: one element per step, no branch that depends on keys.
#pragma once

#include <algorithm>
#include <utility>

#include "algorithms/satish_cpu_merge/kernels.hpp"
#include "core/loop_mark.hpp"

namespace sortlab::satish_merge {

template <class Lane, bool kPairs>
class ScalarKernels {
 public:
  static const Kernels<Lane>& table() {
    static const Kernels<Lane> kernels{.step = 1,
                                       .tile = tile_elements(1),
                                       .run = run_elements(1, merge_depth(kPairs)),
                                       .carries = false,
                                       .sort_tiles = sort_tiles,
                                       .merge_runs = merge_runs,
                                       .merge = merge};
    return kernels;
  }

 private:
  struct Element {
    Lane key;
    Lane value;
  };

  static Element load(const Lane* at, std::ptrdiff_t values) { return {*at, kPairs ? at[values] : Lane{0}}; }
  static void store(const Element& element, Lane* at, std::ptrdiff_t values) {
    *at = element.key;
    if constexpr (kPairs) at[values] = element.value;
  }

  static void compare_exchange(Element& low, Element& high) {
    const bool swap = high.key < low.key;
    const Element a = low;
    const Element b = high;
    low.key = swap ? b.key : a.key;
    high.key = swap ? a.key : b.key;
    if constexpr (kPairs) {
      low.value = swap ? b.value : a.value;
      high.value = swap ? a.value : b.value;
    }
  }

  template <std::size_t... i>
  static void sort_column(std::array<Element, kRows>& column, std::index_sequence<i...>) {
    constexpr auto network = batcher_network();
    (compare_exchange(column[network[i].low], column[network[i].high]), ...);
  }

  static void sort_tiles(Lane* keys, std::size_t count, std::ptrdiff_t values) {
    for (Lane* const end = keys + count; keys != end; keys += kRows) {
      SORTLAB_LOOP("merge.tile.N_SCALAR", kRows, sizeof(Lane), kPairs, 0);
      std::array<Element, kRows> column;
      for (std::size_t i = 0; i < kRows; ++i) column[i] = load(keys + i, values);
      sort_column(column, std::make_index_sequence<batcher_network().size()>{});
      for (std::size_t i = 0; i < kRows; ++i) store(column[i], keys + i, values);
    }
  }

  /// Moves the smaller head to the output. Uses arithmetic instead of a branch, which would be mispredicted every
  /// second time.
  static void take(const Lane*& left, const Lane*& right, Lane*& out, std::ptrdiff_t values) {
    const Lane a = *left;
    const Lane b = *right;
    const auto from_right = static_cast<std::ptrdiff_t>(b < a);
    *out = b < a ? b : a;
    if constexpr (kPairs) out[values] = (b < a ? right : left)[values];
    ++out;
    right += from_right;
    left += 1 - from_right;
  }

  static void merge(Junction<Lane>& at, std::ptrdiff_t values) {
    const Lane* left = at.left;
    const Lane* right = at.right;
    Lane* out = at.out;
    while (true) {
      // The number of elements that cannot exhaust a side, which need no test.
      std::ptrdiff_t sure = std::min({at.left_end - left, at.right_end - right, at.out_end - out});
      if (sure == 0) break;
      for (; sure > 0; --sure) {
        SORTLAB_LOOP("merge.merge.N_SCALAR", 1, sizeof(Lane), kPairs, 0);
        take(left, right, out, values);
      }
    }
    at.left = left;
    at.right = right;
    at.out = out;
  }

  static void copy(const Lane*& from, const Lane* end, Lane*& to, std::ptrdiff_t values) {
    if constexpr (kPairs) std::copy(from + values, end + values, to + values);
    to = std::copy(from, end, to);
  }

  static void merge_two(const Lane* from, Lane* to, std::size_t length, std::size_t both, std::ptrdiff_t values) {
    const Lane* const middle = from + std::min(length, both);
    Junction<Lane> junction{from, middle, middle, from + both, to, to + both, nullptr};
    merge(junction, values);
    copy(junction.left, junction.left_end, junction.out, values);
    copy(junction.right, junction.right_end, junction.out, values);
  }

  /// Merges the lower half of the output from the fronts of the runs and the upper half from their backs. This gives
  /// two chains of dependent loads instead of one, and neither can run out of its `length` elements.
  static void merge_from_both_ends(const Lane* from, Lane* to, std::size_t length, std::ptrdiff_t values) {
    const Lane* left = from;
    const Lane* right = from + length;
    Lane* out = to;
    const Lane* left_back = right - 1;
    const Lane* right_back = right + length - 1;
    Lane* out_back = to + 2 * length - 1;
    for (std::size_t i = 0; i < length; ++i) {
      SORTLAB_LOOP("merge.runs.N_SCALAR", 2, sizeof(Lane), kPairs, 1);
      take(left, right, out, values);
      const Lane a = *left_back;
      const Lane b = *right_back;
      const auto from_left = static_cast<std::ptrdiff_t>(b < a);
      *out_back = b < a ? a : b;
      if constexpr (kPairs) out_back[values] = (b < a ? left_back : right_back)[values];
      --out_back;
      left_back -= from_left;
      right_back -= 1 - from_left;
    }
  }

  static void merge_runs(const Lane* from, Lane* to, std::size_t length, std::size_t count, std::ptrdiff_t values) {
    std::size_t at = 0;
    for (; at + 2 * length <= count; at += 2 * length) merge_from_both_ends(from + at, to + at, length, values);
    if (at < count) merge_two(from + at, to + at, length, count - at, values);
  }
};

}  // namespace sortlab::satish_merge
