// The plan that the sort runs and its model charges: the digits of its passes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/choice.hpp"

namespace sortlab::knf {

/// Bits of the passes. `lower` applies to passes below bit 24 (the paper has four of six bits). The last may be
/// narrower.
struct Passes {
  int lower;
  int bits;
};
inline constexpr std::array kPasses{Choice<Passes>{"paper", {6, 8}}, Choice<Passes>{"fours", {4, 4}},
                                    Choice<Passes>{"eights", {8, 8}}, Choice<Passes>{"elevens", {11, 11}}};

/// The digit at bits [shift, shift + bits) of a word. Signed keys are sorted unchanged: ones of the sign bit come
/// first, so the split by that bit and the prefix sum over digits swap the two sides.
struct Digit {
  int shift = 0;
  int bits = 0;
  std::uint32_t rank_flip = 0;  ///< digit d has rank d ^ rank_flip, the sign bit of signed keys

  std::size_t radix() const { return std::size_t{1} << bits; }
  template <class Word>
  std::uint32_t of(Word word) const {
    return static_cast<std::uint32_t>(word >> shift) & ((std::uint32_t{1} << bits) - 1);
  }
};

/// The digits of a plan for words of `width` bits, the lowest first. "paper": 6, 6, 6, 6 and 8 bits (section 2.2), then
/// eights for words of 64 bits.
inline std::vector<Digit> pass_digits(std::string_view plan, int width, bool is_signed) {
  const Passes passes = chosen("passes", plan, kPasses);
  std::vector<Digit> digits;
  for (int shift = 0; shift < width; shift += digits.back().bits) {
    const int wanted = shift < 24 ? passes.lower : passes.bits;
    digits.push_back({.shift = shift, .bits = std::min(wanted, width - shift)});
  }
  if (is_signed) digits.back().rank_flip = std::uint32_t{1} << (digits.back().bits - 1);
  return digits;
}

}  // namespace sortlab::knf
