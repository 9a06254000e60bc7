// Key and value types: what generators make, algorithms sort and models count.
//
// Every key type has one order, the order of `to_ordered`: integers by value, floats by IEEE 754 totalOrder
// (-NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN), so that a sorted result is one sequence of bytes and nothing else.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/names.hpp"

namespace sortlab {

using uint128 = unsigned __int128;

/// string: byte strings of any length, each in a Record (record.hpp); they have no C++ type of their own.
enum class KeyType : std::uint8_t { u32, u64, i32, i64, f32, f64, u128, string };
template <>
inline constexpr std::array<std::string_view, 8> kNames<KeyType>{"u32", "u64", "i32",  "i64",
                                                                 "f32", "f64", "u128", "string"};

enum class ValueType : std::uint8_t { none, u32, u64 };
template <>
inline constexpr std::array<std::string_view, 3> kNames<ValueType>{"none", "u32", "u64"};

/// Key types that a case may name.
inline constexpr auto kAllKeyTypes = all_values<KeyType>();
/// Key types of fixed width: all but string, the last.
inline constexpr auto kKeyTypes = [] {
  std::array<KeyType, kAllKeyTypes.size() - 1> types{};
  for (std::size_t i = 0; i < types.size(); ++i) types[i] = kAllKeyTypes[i];
  return types;
}();
static_assert(kAllKeyTypes.back() == KeyType::string);
inline constexpr auto kValueTypes = all_values<ValueType>();

/// The value type of a sort that carries keys only.
struct NoValue {};

/// Memory layout of a key and its value when they lie together. The value comes first, so that on a little-endian
/// machine a pair of equal widths reads as one integer whose high half is the key.
template <class K, class V>
struct Pair {
  V value;
  K key;
};

/// The unsigned integer as wide as K.
template <class K>
using Bits =
    std::conditional_t<sizeof(K) == 4, std::uint32_t, std::conditional_t<sizeof(K) == 8, std::uint64_t, uint128>>;

/// Maps a key to an unsigned integer of its width such that unsigned order is the order of the keys.
template <class K>
constexpr Bits<K> to_ordered(K key) {
  const auto bits = std::bit_cast<Bits<K>>(key);
  constexpr auto sign = Bits<K>{1} << (8 * sizeof(K) - 1);
  if constexpr (std::is_floating_point_v<K>) {
    return (bits & sign) != 0 ? static_cast<Bits<K>>(~bits) : (bits | sign);
  } else if constexpr (std::is_signed_v<K>) {
    return bits ^ sign;
  } else {
    return bits;
  }
}

/// The inverse of `to_ordered`.
template <class K>
constexpr K from_ordered(Bits<K> bits) {
  constexpr auto sign = Bits<K>{1} << (8 * sizeof(K) - 1);
  if constexpr (std::is_floating_point_v<K>) {
    return std::bit_cast<K>((bits & sign) != 0 ? static_cast<Bits<K>>(bits ^ sign) : static_cast<Bits<K>>(~bits));
  } else if constexpr (std::is_signed_v<K>) {
    return std::bit_cast<K>(static_cast<Bits<K>>(bits ^ sign));
  } else {
    return bits;
  }
}

/// Strict weak order of keys (see the top of this file).
struct KeyLess {
  template <class K>
  constexpr bool operator()(K a, K b) const {
    return to_ordered(a) < to_ordered(b);
  }
};

/// Calls `f.template operator()<K>()` with the C++ type of a run-time key type. A string's is uint128, as wide as the
/// Record that says where it lies.
template <class F>
constexpr decltype(auto) with_key_type(KeyType type, F&& f) {
  switch (type) {
    case KeyType::u32: return std::forward<F>(f).template operator()<std::uint32_t>();
    case KeyType::u64: return std::forward<F>(f).template operator()<std::uint64_t>();
    case KeyType::i32: return std::forward<F>(f).template operator()<std::int32_t>();
    case KeyType::i64: return std::forward<F>(f).template operator()<std::int64_t>();
    case KeyType::f32: return std::forward<F>(f).template operator()<float>();
    case KeyType::f64: return std::forward<F>(f).template operator()<double>();
    case KeyType::u128:
    case KeyType::string: break;
  }
  return std::forward<F>(f).template operator()<uint128>();
}

/// Calls `f.template operator()<V>()` with the C++ type of a run-time value type; NoValue for none.
template <class F>
constexpr decltype(auto) with_value_type(ValueType type, F&& f) {
  switch (type) {
    case ValueType::none: return std::forward<F>(f).template operator()<NoValue>();
    case ValueType::u32: return std::forward<F>(f).template operator()<std::uint32_t>();
    case ValueType::u64: break;
  }
  return std::forward<F>(f).template operator()<std::uint64_t>();
}

/// Bytes of one key (4, 8 or 16) and of one value (0, 4 or 8).
constexpr std::uint32_t byte_size(KeyType type) {
  return with_key_type(type, [&]<class K>() -> std::uint32_t { return sizeof(K); });
}
constexpr std::uint32_t byte_size(ValueType type) {
  return with_value_type(type, [&]<class V>() -> std::uint32_t { return std::is_empty_v<V> ? 0 : sizeof(V); });
}
constexpr bool is_float(KeyType type) {
  return with_key_type(type, [&]<class K>() { return std::is_floating_point_v<K>; });
}

}  // namespace sortlab
