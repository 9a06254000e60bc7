// The order of keys on a device. Keys lie in memory as their own bits; two masks make of them, on the way into a
// comparison or a digit, the unsigned integer of generators/key_types.hpp. So one kernel serves all key types of a width.
#pragma once

#include "generators/key_types.hpp"

namespace sortlab {

/// to_ordered and from_ordered with the type of the key at run time.
template <class Word>
struct KeyOrder {
  Word flip = 0;           ///< bits inverted in every key
  Word flip_negative = 0;  ///< bits inverted besides where the sign bit is set, which is not one of them

  __device__ Word ordered(Word bits) const { return bits ^ flip ^ (flip_negative & signs(bits)); }
  __device__ Word restored(Word ordered) const {
    const Word bits = ordered ^ flip;
    return bits ^ (flip_negative & signs(bits));
  }

  /// The sign bit in every place.
  static __device__ Word signs(Word bits) {
    using Signed = std::conditional_t<sizeof(Word) == 4, std::int32_t,
                                      std::conditional_t<sizeof(Word) == 8, std::int64_t, __int128>>;
    return static_cast<Word>(static_cast<Signed>(bits) >> (8 * sizeof(Word) - 1));
  }
};

template <class K>
constexpr KeyOrder<Bits<K>> key_order() {
  using Word = Bits<K>;
  constexpr Word sign = Word{1} << (8 * sizeof(Word) - 1);
  if constexpr (std::is_floating_point_v<K>) return {.flip = sign, .flip_negative = static_cast<Word>(~sign)};
  return {.flip = to_ordered(K{})};
}

/// One digit of every key.
template <class Word>
struct Digit {
  KeyOrder<Word> order;
  int shift = 0;  ///< its lowest bit
  int bits = 1;   ///< at most 8; those beyond the key's top count as zero

  __host__ __device__ unsigned mask() const { return (1u << bits) - 1; }
  __device__ unsigned operator()(Word key) const { return static_cast<unsigned>(order.ordered(key) >> shift) & mask(); }
  /// A key that no other follows: where a tile is not full, it stands for what is missing.
  __device__ Word last_key() const { return order.restored(~Word{0}); }
};

/// Calls `f.template operator()<Word>(order)` with the word and the order of a run-time key type.
template <class F>
decltype(auto) with_key_order(KeyType type, F&& f) {
  return with_key_type(type, [&]<class K>() { return std::forward<F>(f).template operator()<Bits<K>>(key_order<K>()); });
}

}  // namespace sortlab
