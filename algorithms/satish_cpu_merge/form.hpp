// The form of keys and values in scratch memory: signed lanes in the order of the keys.
#pragma once

#include "algorithms/satish_cpu_merge/kernels.hpp"
#include "core/key_types.hpp"

namespace sortlab::satish_merge {

/// Lane types for keys K with values V, as planned by packs().
template <class K, class V>
struct Form {
  static constexpr bool has_values = !std::is_same_v<V, NoValue>;
  static constexpr std::size_t value_bytes = has_values ? sizeof(V) : 0;
  static constexpr bool packed = packs(sizeof(K), value_bytes);
  static constexpr bool pairs = has_value_lanes(sizeof(K), value_bytes);
  static constexpr std::size_t bytes = lane_bytes(sizeof(K), value_bytes);
  using Lane = std::conditional_t<bytes == 16, int128, std::conditional_t<bytes == 8, std::int64_t, std::int32_t>>;
  using Unsigned = Bits<Lane>;
  using Signed = std::conditional_t<sizeof(K) == 4, std::int32_t, Lane>;

  static constexpr Bits<K> sign = Bits<K>{1} << (8 * sizeof(K) - 1);

  static constexpr Signed ordered(K key) { return static_cast<Signed>(to_ordered(key) ^ sign); }

  /// Converts `count` keys and values to lanes.
  static void enter(const K* keys, const V* values, std::size_t count, Lane* to, std::ptrdiff_t distance) {
    for (std::size_t i = 0; i < count; ++i) {
      const Signed key = ordered(keys[i]);
      if constexpr (packed) {
        to[i] = static_cast<Lane>(static_cast<Unsigned>(static_cast<Lane>(key)) << 32 | values[i]);
      } else {
        to[i] = key;
      }
    }
    if constexpr (pairs) {
      for (std::size_t i = 0; i < count; ++i)
        to[distance + static_cast<std::ptrdiff_t>(i)] = static_cast<Lane>(values[i]);
    }
  }

  /// The inverse of enter().
  static void leave(const Lane* from, std::ptrdiff_t distance, std::size_t count, K* keys, V* values) {
    for (std::size_t i = 0; i < count; ++i) {
      const Lane lane = packed ? from[i] >> (packed ? 32 : 0) : from[i];
      keys[i] = from_ordered<K>(static_cast<Bits<K>>(static_cast<Bits<K>>(lane) ^ sign));
      if constexpr (packed) values[i] = static_cast<V>(from[i]);
    }
    if constexpr (pairs) {
      for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<V>(from[distance + static_cast<std::ptrdiff_t>(i)]);
    }
  }
};

}  // namespace sortlab::satish_merge
