// The plan that the sort runs and its model charges: digits of eight bits, from the lowest on.
#pragma once

#include <cstddef>

#include "core/lsd_digits.hpp"

namespace sortlab::_template {

inline constexpr int kDigitBits = 8;
inline constexpr std::size_t kRadix = std::size_t{1} << kDigitBits;

constexpr LsdDigits lsd_digits(std::size_t key_bytes) {
  return {8 * static_cast<int>(key_bytes), kDigitBits};
}

}  // namespace sortlab::_template
