// Equal ranges of the ranks.
#pragma once

#include <cstdint>

#include "generators/key_types.hpp"

namespace sortlab {

/// The boundaries of `count` equal ranges of [0, 2^bits): range j is [boundary(j), boundary(j+1)).
class Ranges {
 public:
  /// `bits` is 1 to 128, `count` at least 1 and at most 2^32.
  Ranges(std::uint64_t count, int bits)
      : count_(count),
        width_((~uint128{0} >> (128 - bits)) / count),
        rest_(static_cast<std::uint64_t>((~uint128{0} >> (128 - bits)) % count) + 1) {}

  /// floor(j * 2^bits / count), modulo 2^128.
  uint128 boundary(std::uint64_t j) const { return width_ * j + rest_ * j / count_; }

 private:
  std::uint64_t count_;
  uint128 width_;       // (2^bits - 1) / count, rounded down,
  std::uint64_t rest_;  // and what is then left of 2^bits: 1 to count
};

}  // namespace sortlab
