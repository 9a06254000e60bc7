// Keys as unsigned words, and the digits of a pass.
//
// Integers are sorted unchanged. A signed key differs only in its top digit, where the digits of negative keys come
// first: the prefix sum over digits takes them in that order (Digit::rank_flip). Floats are mapped to ordered words
// (IEEE 754 totalOrder, like to_ordered() in key_types.hpp) in the first pass, and back in the last.
#pragma once

#include <cstdint>
#include <cstring>

#include "algorithms/common/host/float_bits.hpp"
#include "core/key_types.hpp"

namespace sortlab::satish {

/// The digit at bits [shift, shift + bits) of a word. It has at most 16 bits.
template <class Word>
struct Digit {
  int shift = 0;
  int bits = 8;
  std::uint32_t rank_flip = 0;  ///< digit d has rank d ^ rank_flip

  std::size_t radix() const { return std::size_t{1} << bits; }
};

template <class Word>
std::uint32_t digit_at(const Word& word, int shift, std::uint32_t mask) {
  if constexpr (sizeof(Word) <= 8) {
    return static_cast<std::uint32_t>(word >> shift) & mask;
  } else {
    // The 8 bytes from the digit's first byte (or the upper half) contain it. This avoids a double-width shift.
    const int byte = shift / 8 < 8 ? shift / 8 : 8;
    std::uint64_t part;
    std::memcpy(&part, reinterpret_cast<const char*>(&word) + byte, sizeof part);
    return static_cast<std::uint32_t>(part >> (shift - 8 * byte)) & mask;
  }
}

}  // namespace sortlab::satish
