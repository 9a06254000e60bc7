// Keys and values of the contract, as words and back.
//
// A 32-bit key with a 32-bit value is one 64-bit word, the key above: it moves in one piece, and needs no stability to
// keep them together. All other values stay beside their words, both widened to 64 bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "algorithms/plugin.hpp"

namespace sortlab::msd {

template <class K, class V>
struct Form {
  static constexpr bool alone = std::is_same_v<V, NoValue>;
  static constexpr bool joined = !alone && sizeof(K) == 4 && sizeof(V) == 4;
  static constexpr bool values_beside = !alone && !joined;
  using Word = std::conditional_t<alone && sizeof(K) == 4, std::uint32_t, std::uint64_t>;

  /// Whether a key's bits are its word, so that the user's array is an array of words.
  static constexpr bool bits_are_words = std::is_unsigned_v<K> && !joined && sizeof(K) == sizeof(Word);
  /// Whether words, and values beside them, take the place of keys and values.
  static constexpr bool same_width =
      sizeof(K) == sizeof(Word) && (alone || (values_beside && sizeof(V) == sizeof(Word)));

  const K* keys;
  const V* values;

  /// The words of n elements from `first` on, and their values.
  void enter(std::uint64_t first, std::size_t n, Word* words, [[maybe_unused]] Word* beside) const {
    for (std::size_t i = 0; i < n; ++i) {
      words[i] = to_ordered(keys[first + i]);
      if constexpr (joined) words[i] = words[i] << 32 | values[first + i];
      if constexpr (values_beside) beside[i] = values[first + i];
    }
  }
};

/// Where sorted words become keys and values again.
template <class K, class V>
struct Output {
  using F = Form<K, V>;
  using Word = typename F::Word;
  K* keys;
  V* values;

  void leave(std::uint64_t first, std::size_t n, const Word* words, [[maybe_unused]] const Word* beside) const {
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (F::joined) {
        keys[first + i] = from_ordered<K>(static_cast<std::uint32_t>(words[i] >> 32));
        values[first + i] = static_cast<V>(words[i]);
      } else {
        keys[first + i] = from_ordered<K>(static_cast<Bits<K>>(words[i]));
        if constexpr (F::values_beside) values[first + i] = static_cast<V>(beside[i]);
      }
    }
  }
};

}  // namespace sortlab::msd
