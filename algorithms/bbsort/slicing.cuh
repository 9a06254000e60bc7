// The slice of a key within its range, by its numeric value.
#pragma once

#include <cmath>
#include <cstring>

#include "algorithms/bbsort/plan.hpp"
#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/common/cuda/min_max.cuh"

namespace sortlab::bbsort {

/// Slices of equal width. Monotone in KeyOrder::ordered; separates the minimum from the maximum key.
template <class Word>
struct Slicing {
  double origin;           ///< value of the minimum key
  double slices_per_unit;  ///< slices per unit of value
  Word min_key;            ///< the minimum key as an integer
  std::uint32_t last;
  bool by_value;  ///< true if floats are sliced by value, not by the integer that orders them

  /// Slice of a key, from its bits and their image under KeyOrder::ordered.
  __host__ __device__ std::uint32_t operator()(Word bits, Word ordered) const {
    const double distance =
        by_value ? float_value(bits) - origin : static_cast<double>(static_cast<Word>(ordered - min_key));
    const double place = distance * slices_per_unit;
    return place < last ? static_cast<std::uint32_t>(place) : last;
  }

  /// Value of a float; half the value of a double, so that the distance of any two is finite.
  static __host__ __device__ double float_value(Word bits) {
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

/// Slicing of a range of `count` keys that are not all equal, into more than two slices. Floats are sliced by value; if
/// that cannot separate them (a range that ends in an infinity or a NaN, -0 from +0, or the last bits of denormals), by
/// the integer that orders them. The last slice is not the first, so that the recursion into slices ends.
template <class Word>
Slicing<Word> make_slicing(const MinMax<Word>& range, std::uint64_t count, const KeyOrder<Word>& order, bool is_float) {
  Slicing<Word> slicing{
      .origin = 0, .slices_per_unit = 0, .min_key = range.min, .last = slice_count(count) - 1, .by_value = false};
  // In this order, since 50 times the distance of two doubles may be infinite.
  const double slices = static_cast<double>(count) / static_cast<double>(kSliceKeys);
  if (is_float) {
    slicing.origin = Slicing<Word>::float_value(order.restored(range.min));
    const double width = Slicing<Word>::float_value(order.restored(range.max)) - slicing.origin;
    slicing.slices_per_unit = slices / width;
    slicing.by_value = true;
    slicing.by_value = std::isfinite(width) && width > 0 && std::isfinite(slicing.slices_per_unit) &&
                       slicing(order.restored(range.max), range.max) > 0;
  }
  if (!slicing.by_value)
    slicing.slices_per_unit = slices / static_cast<double>(static_cast<Word>(range.max - range.min));
  return slicing;
}

}  // namespace sortlab::bbsort
