// The keys and values of Sortlab: what generators make, algorithms sort and models count.
//
// There is one order for every key type, the order of `to_ordered`: integers by value, floats by IEEE 754 totalOrder
// (-NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN), so that a sorted result is one sequence of bytes and nothing else.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sortlab {

using uint128 = unsigned __int128;

/// string: byte strings of any length, each in a Record (record.hpp); they have no C++ type of their own.
enum class KeyType : std::uint8_t { u32, u64, i32, i64, f32, f64, u128, string };
enum class ValueType : std::uint8_t { none, u32, u64 };

/// The keys of fixed width.
inline constexpr std::array kKeyTypes{KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64,
                                      KeyType::f32, KeyType::f64, KeyType::u128};
/// What a case may name.
inline constexpr std::array kAllKeyTypes{KeyType::u32, KeyType::u64, KeyType::i32,  KeyType::i64,
                                         KeyType::f32, KeyType::f64, KeyType::u128, KeyType::string};
inline constexpr std::array kValueTypes{ValueType::none, ValueType::u32, ValueType::u64};

/// The value type of a sort that carries keys only.
struct NoValue {};

/// How a key and its value lie in memory when they lie together. The value comes first, so that on a little-endian
/// machine a pair of equal widths reads as one integer whose high half is the key.
template <class K, class V>
struct Pair {
  V value;
  K key;
};

/// Bytes of one key (4, 8 or 16; of a string the Record that says where it lies) and of one value (0, 4 or 8).
constexpr std::uint32_t size_of(KeyType type) {
  switch (type) {
    case KeyType::u32:
    case KeyType::i32:
    case KeyType::f32: return 4;
    case KeyType::u64:
    case KeyType::i64:
    case KeyType::f64: return 8;
    case KeyType::u128:
    case KeyType::string: return 16;
  }
  return 0;
}
constexpr std::uint32_t size_of(ValueType type) {
  return type == ValueType::none ? 0 : type == ValueType::u32 ? 4 : 8;
}
constexpr bool is_float(KeyType type) {
  return type == KeyType::f32 || type == KeyType::f64;
}

constexpr std::string_view name_of(KeyType type) {
  constexpr std::array<std::string_view, 8> names{"u32", "u64", "i32", "i64", "f32", "f64", "u128", "string"};
  return names[static_cast<std::size_t>(type)];
}
constexpr std::string_view name_of(ValueType type) {
  constexpr std::array<std::string_view, 3> names{"none", "u32", "u64"};
  return names[static_cast<std::size_t>(type)];
}
constexpr std::optional<KeyType> key_type_from(std::string_view name) {
  for (KeyType type : kAllKeyTypes) {
    if (name_of(type) == name) return type;
  }
  return std::nullopt;
}
constexpr std::optional<ValueType> value_type_from(std::string_view name) {
  for (ValueType type : kValueTypes) {
    if (name_of(type) == name) return type;
  }
  return std::nullopt;
}

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

/// Calls `f.template operator()<K>()` with the C++ type of a run-time key type of fixed width.
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

}  // namespace sortlab
