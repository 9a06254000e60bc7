// Equal ranges of the ranks, and equal parts of the elements.
#pragma once

#include <cstdint>

#include "core/key_types.hpp"

namespace sortlab {

/// floor(a / b), which must be below 2^64. Most `a` fit into 64 bits, and a device divides 128 bits slowly.
constexpr std::uint64_t quotient(uint128 a, std::uint64_t b) {
  return a >> 64 == 0 ? static_cast<std::uint64_t>(a) / b : static_cast<std::uint64_t>(a / b);
}

/// The boundaries of `count` equal ranges of [0, 2^bits): range j is [boundary(j), boundary(j+1)).
class Ranges {
 public:
  /// `bits` is 1 to 128, `count` at least 1 and at most 2^32.
  constexpr Ranges(std::uint64_t count, int bits)
      : count_(count),
        width_((~uint128{0} >> (128 - bits)) / count),
        rest_(static_cast<std::uint64_t>((~uint128{0} >> (128 - bits)) % count) + 1) {}

  /// floor(j * 2^bits / count), modulo 2^128.
  constexpr uint128 boundary(std::uint64_t j) const { return width_ * j + rest_ * j / count_; }

 private:
  std::uint64_t count_;
  uint128 width_;       // floor((2^bits - 1) / count)
  std::uint64_t rest_;  // 2^bits - count * width_: 1 to count
};

/// Begin of part `index` if [begin, begin + count) is divided into `parts` equal parts.
constexpr std::uint64_t part_begin(std::uint64_t begin, std::uint64_t count, std::uint64_t parts, std::uint64_t index) {
  return begin + quotient(uint128{count} * index, parts);
}
/// The inverse: index of the part that holds element i < count if [0, count) is divided into `parts` equal parts.
constexpr std::uint64_t part_containing(std::uint64_t count, std::uint64_t parts, std::uint64_t i) {
  return quotient(uint128{i + 1} * parts - 1, count);
}

}  // namespace sortlab
