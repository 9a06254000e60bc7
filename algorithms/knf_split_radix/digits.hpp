// Plans of passes, and keys as a radix sort sees them: unsigned words and their digits.
//
// Integers are sorted as they lie in memory. A signed key differs from its ordered word in the sign bit alone, where
// the ones come first: the split by that bit takes its two sides in that order, and so does the prefix sum over digits.
// Floats become ordered words (IEEE 754 totalOrder, as to_ordered) on entering the first pass that is executed and
// floats again on leaving the last.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sortlab::knf {

enum class KeyKind : std::uint8_t { integer, real };

/// The digit at bits [shift, shift + bits) of a word.
struct Digit {
  int shift = 0;
  int bits = 0;
  std::uint32_t rank_flip = 0;  ///< digit d comes at rank d ^ rank_flip: the sign bit of signed keys

  std::size_t radix() const { return std::size_t{1} << bits; }
  template <class Word>
  std::uint32_t of(Word word) const {
    return static_cast<std::uint32_t>(word >> shift) & ((std::uint32_t{1} << bits) - 1);
  }
};

/// The digits of a plan for words of `width` bits, the lowest first. "paper": 6, 6, 6, 6 and 8 bits (section 2.2),
/// words of 64 bits going on by eights; otherwise digits of one width, of which the last may be narrower.
inline std::vector<Digit> digits_of(std::string_view plan, int width, bool is_signed) {
  const int usual = plan == "fours" ? 4 : plan == "elevens" ? 11 : 8;
  std::vector<Digit> digits;
  for (int shift = 0; shift < width; shift += digits.back().bits) {
    const int wanted = plan == "paper" && shift < 24 ? 6 : usual;
    digits.push_back({.shift = shift, .bits = std::min(wanted, width - shift)});
  }
  if (is_signed) digits.back().rank_flip = std::uint32_t{1} << (digits.back().bits - 1);
  return digits;
}

/// to_ordered of a float, on its bits.
template <class Word>
constexpr Word ordered_from_float(Word bits) {
  constexpr auto sign = Word{1} << (8 * sizeof(Word) - 1);
  return (bits & sign) != 0 ? static_cast<Word>(~bits) : static_cast<Word>(bits | sign);
}

}  // namespace sortlab::knf
