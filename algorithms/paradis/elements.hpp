// Keys as unsigned words, the digits of their ordered images, and runs of elements.
//
// The ordered image of a word (IEEE 754 totalOrder for floats) is computed at each load and never stored. Keys stay
// unchanged, so that any part of the array may be at any level of the sort.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "core/key_types.hpp"
#include "core/stream_lines.hpp"

namespace sortlab::paradis {

template <class K>
constexpr Bits<K> ordered(Bits<K> word) {
  return to_ordered(std::bit_cast<K>(word));
}

/// The digit at bits [shift, shift + bits) of the ordered image.
template <class K>
struct Digit {
  int shift = 0;
  std::uint32_t mask = 0;

  /// The highest digit among the `rest` lowest bits, in which alone keys still differ.
  static Digit top(int rest, int digit_bits) {
    const int bits = rest < digit_bits ? rest : digit_bits;
    return {rest - bits, (std::uint32_t{1} << bits) - 1};
  }
  std::uint32_t radix() const { return mask + 1; }
  std::uint32_t operator()(Bits<K> word) const { return static_cast<std::uint32_t>(ordered<K>(word) >> shift) & mask; }
};

/// Kind of map to ordered images, for loop marks: none, that of signed integers, or that of floats.
template <class K>
inline constexpr int kImage = std::is_floating_point_v<K> ? 2
                              : std::is_signed_v<K>       ? 1
                                                          : 0;

/// Number of bits up to the highest set bit.
template <class Word>
int bit_width(Word word) {
  if constexpr (sizeof(Word) <= 8) {
    return static_cast<int>(std::bit_width(word));
  } else {
    const auto high = static_cast<std::uint64_t>(word >> 64);
    return high != 0 ? 64 + bit_width(high) : bit_width(static_cast<std::uint64_t>(word));
  }
}

/// A key and its value, held in registers.
template <class K, class V>
struct Element {
  Bits<K> key;
  [[no_unique_address]] V value;
};

/// A run of elements, with keys and values in separate arrays.
template <class K, class V>
struct Run {
  static constexpr bool has_values = !std::is_same_v<V, NoValue>;
  static constexpr std::size_t value_bytes = has_values ? sizeof(V) : 0;

  Bits<K>* keys = nullptr;
  V* values = nullptr;
  std::uint64_t n = 0;

  Run part(std::uint64_t first, std::uint64_t last) const {
    return {keys + first, has_values ? values + first : nullptr, last - first};
  }
  /// Prefetches two lines beyond the head of a stripe. There are too many heads for the hardware prefetcher.
  void prefetch(std::uint64_t i) const {
    __builtin_prefetch(keys + i + 2 * kLineBytes / sizeof(Bits<K>), 1);
    if constexpr (has_values) __builtin_prefetch(values + i + 2 * kLineBytes / sizeof(V), 1);
  }
  Element<K, V> load(std::uint64_t i) const {
    if constexpr (has_values) {
      return {keys[i], values[i]};
    } else {
      return {keys[i], {}};
    }
  }
  void store(std::uint64_t i, const Element<K, V>& element) const {
    keys[i] = element.key;
    if constexpr (has_values) values[i] = element.value;
  }
};

}  // namespace sortlab::paradis
