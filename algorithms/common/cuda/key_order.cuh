// Order of keys on a device. Keys stay in memory as their own bits; for a comparison or a digit, two masks map them to
// the unsigned integer of core/key_types.hpp. Thus one kernel serves all key types of a width.
#pragma once

#include "core/choice.hpp"
#include "core/key_types.hpp"

namespace sortlab {

/// to_ordered and from_ordered with the type of the key at run time.
template <class Word>
struct KeyOrder {
  Word flip = 0;           ///< bits inverted in every key
  Word flip_negative = 0;  ///< bits also inverted if the sign bit is set; excludes the sign bit

  __host__ __device__ Word ordered(Word bits) const { return bits ^ flip ^ (flip_negative & signs(bits)); }
  __host__ __device__ Word restored(Word ordered) const {
    const Word bits = ordered ^ flip;
    return bits ^ (flip_negative & signs(bits));
  }

  /// A word with the sign bit in every position.
  static __host__ __device__ Word signs(Word bits) {
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

/// The order of a key type as wide as Word. Throws std::logic_error for another type.
template <class Word>
KeyOrder<Word> make_key_order(KeyType type) {
  return with_key_type(type, [&]<class K>() -> KeyOrder<Word> {
    if constexpr (sizeof(K) == sizeof(Word)) {
      return key_order<K>();
    } else {
      throw_no_code_for("key", to_name(type));
    }
  });
}

/// Extracts one digit of KeyOrder::ordered, mapping only the digit's bits.
template <class Word>
class Digit {
 public:
  /// A digit of `bits` bits, at most 8, from `shift` on.
  __host__ __device__ Digit(const KeyOrder<Word>& order, int shift, int bits)
      : order_(order),
        shift_(shift),
        bits_(bits),
        flip_(static_cast<unsigned>(order.flip >> shift) & mask()),
        flip_negative_(static_cast<unsigned>(order.flip_negative >> shift) & mask()) {}

  __host__ __device__ int shift() const { return shift_; }
  __host__ __device__ int bits() const { return bits_; }
  __host__ __device__ unsigned count() const { return 1u << bits_; }
  __device__ unsigned operator()(Word key) const {
    const auto signs = static_cast<unsigned>(KeyOrder<Word>::signs(key));
    return (static_cast<unsigned>(key >> shift_) & mask()) ^ flip_ ^ (signs & flip_negative_);
  }
  /// The digit in the lowest bits, before `flip` is applied; the bits above are undefined. Saves two instructions, or
  /// three for integer keys.
  template <bool kReal>
  __device__ unsigned unflipped(Word key) const {
    const auto low = static_cast<unsigned>(key >> shift_);
    if constexpr (!kReal) return low;
    return low ^ (static_cast<unsigned>(KeyOrder<Word>::signs(key)) & flip_negative_);
  }
  __device__ unsigned flip() const { return flip_; }
  __host__ bool is_real() const { return order_.flip_negative != 0; }
  __device__ const KeyOrder<Word>& order() const { return order_; }
  /// The largest key: pads tiles that are not full.
  __device__ Word last_key() const { return order_.restored(~Word{0}); }

 private:
  __host__ __device__ unsigned mask() const { return count() - 1; }

  KeyOrder<Word> order_;
  int shift_;
  int bits_;
  unsigned flip_;
  unsigned flip_negative_;
};

/// Calls `f.template operator()<Word>(order)` with the word and the order of a run-time key type.
template <class F>
decltype(auto) with_key_order(KeyType type, F&& f) {
  return with_key_type(type,
                       [&]<class K>() { return std::forward<F>(f).template operator()<Bits<K>>(key_order<K>()); });
}

}  // namespace sortlab
