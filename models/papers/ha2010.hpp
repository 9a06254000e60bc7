// Statements of Ha, Krueger and Silva 2010 on their implicit radix sort as formulas: the packed counter (HA-M1), the
// coalescing of a run that is written (HA-M3) and the passes that a range of keys needs (HA-M4). HA-M2, the time of a
// sort, is a registered model.
#pragma once

#include <cstdint>

namespace sortlab::ha2010 {

/// HA-M1, section 3.1: one word c0 + c1 · 2^g + c2 · 2^2g counts the digits 0, 1 and 2 of a 2-bit split; the position
/// of an element less those is the count of digit 3. A field holds at most 2^g - 1.
struct ImplicitCounter {
  int field_bits = 10;  ///< g; 10 in the chapter's 32 bits, up to 21 in 64

  /// Value that an element adds: impl_val = (val < 3) << (g · val).
  constexpr std::uint64_t weight(unsigned digit) const {
    return digit < 3 ? std::uint64_t{1} << (static_cast<unsigned>(field_bits) * digit) : 0;
  }
  /// The field of a digit below 3. Printed without the mask, which leaves the higher fields in it (inconsistency X16).
  constexpr std::uint64_t field(std::uint64_t word, unsigned digit) const {
    return (word >> (static_cast<unsigned>(field_bits) * digit)) & ((std::uint64_t{1} << field_bits) - 1);
  }
  /// Number of the `before` elements counted in `word` that have this digit.
  constexpr std::uint64_t count(std::uint64_t word, unsigned digit, std::uint64_t before) const {
    return digit < 3 ? field(word, digit) : before - field(word, 0) - field(word, 1) - field(word, 2);
  }
};

/// Bits of a field that counts inside a block of so many elements: all that stand before an element (at most block - 1
/// of a digit), or the block's totals too. 1024 elements take 10 bits or 11: with totals three fields overflow a word
/// of 32 bits, and a block of equal digits carries into the next field (inconsistency X16).
int prefix_field_bits(std::uint64_t block);
int total_field_bits(std::uint64_t block);

/// HA-M3, section 3.2: useful share of the bytes transferred when runs of that many elements go to arbitrary addresses
/// in memory that transfers whole segments: R e / (R e + S - e). Pairs double e and waste less.
double write_efficiency(double run_elements, double element_bytes, double segment_bytes);

/// HA-M4, section 3.3: bits of the keys of [smallest, largest] after the smallest is subtracted, at least one.
int range_bits(std::uint64_t smallest, std::uint64_t largest);
/// Floats mapped to [0.5, 1) share sign and exponent, and differ in so many bits. The chapter speaks of 24: "we need
/// only sort 24 bits of the 32 bits key". Both take six passes.
inline constexpr int kLossyFloatBits = 23;
/// Passes of 4 bits.
int passes(int bits);

}  // namespace sortlab::ha2010
