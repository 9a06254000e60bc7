// Maps words to the digits of a partition. Has no dependencies, since the model reads it (plan.hpp).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace sortlab::msd {

template <class Word>
struct Range {
  Word low;
  Word high;
};

/// A monotone map from words to digits that cuts a range into equal parts. Words below the range get its first digit,
/// words above its last, so a range may come from a sample.
template <class Word>
struct Digits {
  Word low = 0;
  int shift = 0;            ///< shift that reduces the range to 16 bits
  std::uint32_t scale = 0;  ///< factor from these to digits, in units of 1/65536
  std::uint32_t count = 1;  ///< at most 65536

  Digits() = default;
  /// Makes at most `most` digits, and no more than there are words in the range.
  Digits(const Range<Word>& range, std::uint32_t most) : low(range.low) {
    const Word width = range.high - range.low;
    shift = std::max(0, static_cast<int>(std::bit_width(width)) - 16);
    const auto places = static_cast<std::uint32_t>(width >> shift) + 1;
    count = std::min(most, places);
    scale = static_cast<std::uint32_t>((std::uint64_t{count} << 16) / places);
  }

  std::uint32_t operator()(Word word) const {
    const Word place = static_cast<Word>(std::max(word, low) - low) >> shift;
    return std::min(static_cast<std::uint32_t>(std::min<Word>(place, 0xFFFF)) * scale >> 16, count - 1);
  }
};

}  // namespace sortlab::msd
