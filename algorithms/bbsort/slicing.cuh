// The slice of a key within its range, by its numeric value.
#pragma once

#include <cmath>
#include <cstring>

#include "algorithms/bbsort/plan.hpp"
#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/common/cuda/least_and_most.cuh"

namespace sortlab::bbsort {

/// Slices of equal width. Monotone in KeyOrder::ordered, and separates the least key from the largest.
template <class Word>
struct Slicing {
  double origin;         ///< value of the least key
  double slices_a_unit;  ///< slices for each unit of value
  Word least;            ///< the least key as an integer
  std::uint32_t last;
  bool by_value;  ///< a float's value counts, not the integer that it is ordered by

  /// From the bits of a key, and their image under KeyOrder::ordered.
  __host__ __device__ std::uint32_t operator()(Word bits, Word ordered) const {
    const double distance =
        by_value ? value_of(bits) - origin : static_cast<double>(static_cast<Word>(ordered - least));
    const double place = distance * slices_a_unit;
    return place < last ? static_cast<std::uint32_t>(place) : last;
  }

  /// Of a float; of a double half of it, so that the distance of any two is finite.
  static __host__ __device__ double value_of(Word bits) {
    if constexpr (sizeof(Word) == 4) {
      float value;
      memcpy(&value, &bits, sizeof value);
      return value;
    } else {
      double value;
      memcpy(&value, &bits, sizeof value);
      return 0.5 * value;
    }
  }
};

/// Of a range of `count` keys that are not all equal, more than two slices of them. Floats are sliced by value; where
/// that cannot separate them (a range that ends in an infinity or a NaN, -0 from +0, or the last bits of denormals), by
/// the integer that orders them. The last slice is not the first, so that the recursion into slices ends.
template <class Word>
Slicing<Word> slicing_of(const LeastAndMost<Word>& range, std::uint64_t count, const KeyOrder<Word>& order,
                         bool is_float) {
  Slicing<Word> slicing{
      .origin = 0, .slices_a_unit = 0, .least = range.least, .last = slices_of(count) - 1, .by_value = false};
  // In this order, since 50 times the distance of two doubles may be infinite.
  const double slices = static_cast<double>(count) / static_cast<double>(kSliceKeys);
  if (is_float) {
    slicing.origin = Slicing<Word>::value_of(order.restored(range.least));
    const double width = Slicing<Word>::value_of(order.restored(range.most)) - slicing.origin;
    slicing.slices_a_unit = slices / width;
    slicing.by_value = true;
    slicing.by_value = std::isfinite(width) && width > 0 && std::isfinite(slicing.slices_a_unit) &&
                       slicing(order.restored(range.most), range.most) > 0;
  }
  if (!slicing.by_value)
    slicing.slices_a_unit = slices / static_cast<double>(static_cast<Word>(range.most - range.least));
  return slicing;
}

}  // namespace sortlab::bbsort
