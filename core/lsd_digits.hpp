// How an LSD radix sort cuts keys into digits: all of one width, from the lowest bit on, of which the last may be
// narrower.
#pragma once

namespace sortlab {

struct LsdDigits {
  int key_bits;
  int digit_bits;

  constexpr int passes() const { return (key_bits + digit_bits - 1) / digit_bits; }
  /// The lowest bit of the digit of a pass, and the bits that it has.
  constexpr int shift(int pass) const { return pass * digit_bits; }
  constexpr int bits(int pass) const {
    const int left = key_bits - shift(pass);
    return left < digit_bits ? left : digit_bits;
  }
};

}  // namespace sortlab
