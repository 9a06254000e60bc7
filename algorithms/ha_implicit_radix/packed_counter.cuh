// Implicit counting (section 3.1): one word counts the digits 0, 1 and 2, and the position counts the digit 3.
#pragma once

#include <cstdint>
#include <type_traits>

#include "algorithms/ha_implicit_radix/plan.hpp"

namespace sortlab::ha {

inline constexpr int kSplitDigits = 1 << kSplitBits;

/// Three counters in one word: c0 + c1 * 2^f + c2 * 2^2f, with f = 10 bits in 32 and f = 21 bits in 64.
///
/// A field must not overflow. A tile of 1024 equal digits exceeds ten bits by one (the printed cnt[val] = impl >> (10 *
/// val) would carry into the next field), so whole-tile totals are never taken from a word: they are the prefix before
/// the last warp plus that warp's own count, field by field.
template <class Word>
struct PackedCounter {
  static constexpr int kFieldBits = sizeof(Word) == 4 ? 10 : 21;
  static constexpr Word kField = (Word{1} << kFieldBits) - 1;
  static constexpr Word kFields = kField | (kField << kFieldBits) | (kField << (2 * kFieldBits));

  /// Increment for an element of this digit: impl_val = (val < 3) << (f * val). Digit 3 shifts its bit past the fields.
  __host__ __device__ static constexpr Word weight(unsigned digit) {
    return (Word{1} << (kFieldBits * digit)) & kFields;
  }

  /// The count of a digit below 3.
  __host__ __device__ static constexpr unsigned count(Word word, unsigned digit) {
    return static_cast<unsigned>((word >> (kFieldBits * digit)) & kField);
  }

  /// Computes c0 + c1 + c2 by one multiplication, which gathers the three fields in the highest.
  __host__ __device__ static constexpr unsigned counted(Word word) {
    constexpr Word gather = Word{1} | (Word{1} << kFieldBits) | (Word{1} << (2 * kFieldBits));
    return count(word * gather, 2);
  }

  /// Number of the `before` elements counted in `word` that have this digit; digit 3 has the remainder.
  __host__ __device__ static constexpr unsigned rank(Word word, unsigned digit, unsigned before) {
    const unsigned explicitly = count(word, digit);
    const unsigned implicitly = before - counted(word);
    return digit < 3 ? explicitly : implicitly;
  }
};

/// The same counts in wider fields.
template <class Word>
__host__ __device__ constexpr Word widened(std::uint32_t word) {
  if constexpr (sizeof(Word) == 4) {
    return word;
  } else {
    using Narrow = PackedCounter<std::uint32_t>;
    using Wide = PackedCounter<Word>;
    return Word{Narrow::count(word, 0)} | (Word{Narrow::count(word, 1)} << Wide::kFieldBits) |
           (Word{Narrow::count(word, 2)} << (2 * Wide::kFieldBits));
  }
}

}  // namespace sortlab::ha
