// The order of an output: by the whole key, or by part of it where an algorithm or a component promises no more.
#pragma once

#include <cstdint>

namespace sortlab {

/// An order as data, which the verifier applies independently. By default that of KeyLess over the whole array.
struct Order {
  bool unit_floats = false;  ///< the image of a key is UnitFloats of it (f32 only), not to_ordered of it
  int shift = 0;             ///< bits of the image below this one are not looked at,
  int bits = 128;          ///< nor those above so many from there on; 0: all keys are equal, so a stable output is the
                           ///< input itself
  std::uint64_t tile = 0;  ///< elements; not 0: each tile has an order of its own, and the elements that it had

  bool is_whole() const { return *this == Order{}; }
  friend bool operator==(const Order&, const Order&) = default;
};

}  // namespace sortlab
