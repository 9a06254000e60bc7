// Keys as unsigned words.
//
// Integers are sorted unchanged. A signed key differs from its ordered word only in the sign bit, where ones come
// first: the split by that bit and the prefix sum over digits swap the two sides. Floats become ordered words (IEEE 754
// totalOrder, like to_ordered()) in the first executed pass, and floats again in the last.
#pragma once

#include <cstdint>

#include "algorithms/knf_split_radix/plan.hpp"

namespace sortlab::knf {

enum class KeyKind : std::uint8_t { integer, real };

/// to_ordered() on the bits of a float.
template <class Word>
constexpr Word ordered_from_float(Word bits) {
  constexpr auto sign = Word{1} << (8 * sizeof(Word) - 1);
  return (bits & sign) != 0 ? static_cast<Word>(~bits) : static_cast<Word>(bits | sign);
}

}  // namespace sortlab::knf
