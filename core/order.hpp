// Order of an output: by the whole key, or by part of it where an algorithm or a component promises no more.
#pragma once

#include <cstdint>

namespace sortlab {

/// An order as data, which the verifier applies independently. The default is the order of KeyLess over the whole
/// array.
struct Order {
  bool unit_floats = false;  ///< true: keys are ordered by UnitFloats (f32 only); false: by to_ordered
  int shift = 0;             ///< lowest bit of the sorted field of that image
  int bits = 128;            ///< width of the field; 0: all keys are equal, so a stable output is the input itself
  std::uint64_t tile = 0;    ///< elements; not 0: each tile keeps its elements and is ordered by itself

  bool is_whole() const { return *this == Order{}; }
  friend bool operator==(const Order&, const Order&) = default;
};

}  // namespace sortlab
