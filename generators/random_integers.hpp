// Random words as integers below a bound.
#pragma once

#include <cstdint>

#include "core/key_types.hpp"

namespace sortlab {

/// Random words as one integer, lowest first.
constexpr std::uint64_t random64(const std::uint32_t* words) {
  return words[0] | std::uint64_t{words[1]} << 32;
}
constexpr uint128 random128(const std::uint32_t* words) {
  return random64(words) | uint128{random64(words + 2)} << 64;
}

/// floor(random * bound / 2^64): uniform below `bound` for a uniform `random`, with an error of at most bound / 2^64.
constexpr std::uint64_t scaled(std::uint64_t random, std::uint64_t bound) {
  return static_cast<std::uint64_t>((uint128{random} * bound) >> 64);
}
/// floor(random * bound / 2^128).
constexpr uint128 scaled(uint128 random, uint128 bound) {
  const auto low = [](uint128 x) { return static_cast<std::uint64_t>(x); };
  const auto high = [](uint128 x) { return static_cast<std::uint64_t>(x >> 64); };
  const uint128 middle = uint128{high(random)} * low(bound) + scaled(low(random), low(bound));
  const uint128 carried = uint128{low(random)} * high(bound) + low(middle);
  return uint128{high(random)} * high(bound) + high(middle) + high(carried);
}

}  // namespace sortlab
