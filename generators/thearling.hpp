// Relation between the ANDs of Thearling and Smith's inputs and the probability that a bit of a key is one.
#pragma once

#include <cmath>

namespace sortlab {

/// Probability that a bit of the AND of `ands` + 1 uniform words is one.
inline double thearling_bit_probability(double ands) {
  return std::exp2(-(ands + 1));
}

/// Number of ANDs after which a bit is one with this probability; a large number for 0.
inline double thearling_ands(double bit_probability) {
  constexpr double kNoBits = 1e9;
  return bit_probability > 0 ? -std::log2(bit_probability) - 1 : kNoBits;
}

}  // namespace sortlab
