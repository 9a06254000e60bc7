// Orders that the verifier knows, on host and device: the bits of a key that it compares, and with which elements.
#pragma once

#include <algorithm>
#include <string>

#include "core/key_types.hpp"
#include "core/order.hpp"
#include "core/unit_floats.hpp"

namespace sortlab {

/// The order of KeyLess over the whole array.
struct WholeOrder {
  static constexpr bool kWhole = true;
  template <class K>
  constexpr Bits<K> image(K key) const {
    return to_ordered(key);
  }
  constexpr bool begins(std::uint64_t) const { return false; }
  constexpr bool strays(std::uint64_t, std::uint64_t) const { return false; }
};

/// Every order other than WholeOrder.
class PartialOrder {
 public:
  static constexpr bool kWhole = false;

  /// `unit_floats` maps the range of the keys, if the order uses it.
  PartialOrder(const Order& order, const UnitFloats& unit_floats) : order_(order), unit_floats_(unit_floats) {}

  /// Returns the bits of a key that the order compares.
  template <class K>
  SORTLAB_HOST_DEVICE Bits<K> image(K key) const {
    constexpr int width = 8 * sizeof(K);
    Bits<K> image = to_ordered(key);
    if constexpr (std::is_same_v<K, float>) {
      if (order_.unit_floats) image = unit_floats_(key);
    }
    if (order_.bits == 0 || order_.shift >= width) return 0;
    const Bits<K> from_shift = image >> order_.shift;
    return order_.bits >= width ? from_shift : static_cast<Bits<K>>(from_shift & ((Bits<K>{1} << order_.bits) - 1));
  }
  /// True if element i is the first of a tile.
  SORTLAB_HOST_DEVICE bool begins(std::uint64_t i) const { return order_.tile != 0 && i % order_.tile == 0; }
  /// True if element i is in another tile than the input's element of this id.
  SORTLAB_HOST_DEVICE bool strays(std::uint64_t i, std::uint64_t id) const {
    return order_.tile != 0 && i / order_.tile != id / order_.tile;
  }

 private:
  Order order_;
  UnitFloats unit_floats_;
};

/// The smallest and the largest ordered image of f32 keys.
struct FloatRange {
  std::uint32_t smallest = ~std::uint32_t{0};
  std::uint32_t largest = 0;

  UnitFloats unit_floats() const { return UnitFloats::of(from_ordered<float>(smallest), from_ordered<float>(largest)); }
};

/// The order in words, "bits 4 to 7, in each tile of 1024"; empty for the whole key.
std::string describe_order(const Order& order);

}  // namespace sortlab
