// Digits of an LSD radix sort: of equal width, from the lowest bit up; the last may be narrower.
#pragma once

namespace sortlab {

struct LsdDigits {
  int key_bits;
  int digit_bits;

  constexpr int passes() const { return (key_bits + digit_bits - 1) / digit_bits; }
  /// Lowest bit and width of a pass's digit.
  constexpr int shift(int pass) const { return pass * digit_bits; }
  constexpr int bits(int pass) const {
    const int left = key_bits - shift(pass);
    return left < digit_bits ? left : digit_bits;
  }
};

}  // namespace sortlab
