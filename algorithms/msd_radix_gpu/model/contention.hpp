// Contention of a warp's lanes for the banks of shared memory when they add to counters of their keys' digits, found by
// drawing warps of keys from a fixed seed.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace sortlab::msd_contention {

/// Digits of independent bits, or such as were drawn.
struct DigitMix {
  int bits = 8;
  double one = 0.5;  ///< probability that a bit is one
  /// Digits that are as frequent as the keys', of a segment or of several by turns; empty: of independent bits.
  std::span<const std::vector<std::uint32_t>> drawn{};
  int word_bits = 8;  ///< lowest bits of a digit, which number its counter's word
};

/// Wavefronts of a warp's addition, and how a warp takes its keys.
struct Contention {
  double hot = 0;        ///< share of the warps that find a digit which kHotLanes lanes have
  double added = 1;      ///< if no lane waits for the old value: equal words are one
  double placed = 1;     ///< if each lane waits for it
  double added_hot = 1;  ///< the same in warps with a hot digit, whose lanes but one only count
  double placed_hot = 1;
};
Contention draw_contention(const DigitMix& digits);

}  // namespace sortlab::msd_contention
