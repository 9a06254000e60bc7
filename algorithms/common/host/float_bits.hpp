// Floats as ordered words: to_ordered() and from_ordered() (core/key_types.hpp) on the bits of a float, for kernels
// that hold keys as unsigned words of a width alone.
#pragma once

#include <cstdint>

namespace sortlab {

/// Kind of a key's bits: an integer, sorted unchanged, or a float, mapped to an ordered word in the first pass and back
/// in the last.
enum class KeyKind : std::uint8_t { integer, real };

template <class Word>
constexpr Word ordered_from_float(Word bits) {
  constexpr auto sign = Word{1} << (8 * sizeof(Word) - 1);
  return (bits & sign) != 0 ? static_cast<Word>(~bits) : static_cast<Word>(bits | sign);
}
template <class Word>
constexpr Word float_from_ordered(Word bits) {
  constexpr auto sign = Word{1} << (8 * sizeof(Word) - 1);
  return (bits & sign) != 0 ? static_cast<Word>(bits ^ sign) : static_cast<Word>(~bits);
}

}  // namespace sortlab
