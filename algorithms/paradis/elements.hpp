// Keys as PARADIS sees them, unsigned words with a digit of their ordered image, and the arrays in which they lie.
//
// The ordered image of a word is computed at each load and never stored: keys stay unchanged, so that any part of the
// array may be at any level of the sort.
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

  /// The highest digit among the `rest` lowest bits, the only ones in which keys still differ.
  static Digit top(int rest, int digit_bits) {
    const int bits = rest < digit_bits ? rest : digit_bits;
    return {rest - bits, (std::uint32_t{1} << bits) - 1};
  }
  std::uint32_t radix() const { return mask + 1; }
  std::uint32_t operator()(Bits<K> word) const { return static_cast<std::uint32_t>(ordered<K>(word) >> shift) & mask; }
};

/// The map to ordered images, for loop marks: none, the sign's, or that of floats.
template <class K>
inline constexpr int kImage = std::is_floating_point_v<K> ? 2
                              : std::is_signed_v<K>       ? 1
                                                          : 0;

/// The number of bits up to the highest one set.
template <class Word>
int width_of(Word word) {
  if constexpr (sizeof(Word) <= 8) {
    return static_cast<int>(std::bit_width(word));
  } else {
    const auto high = static_cast<std::uint64_t>(word >> 64);
    return high != 0 ? 64 + width_of(high) : width_of(static_cast<std::uint64_t>(word));
  }
}

/// A key with its value in registers.
template <class K, class V>
struct Element {
  Bits<K> key;
  [[no_unique_address]] V value;
};

/// A run of elements; keys and values lie apart.
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
  /// Prefetches two lines beyond the head of a stripe: there are too many heads for the hardware prefetcher.
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
