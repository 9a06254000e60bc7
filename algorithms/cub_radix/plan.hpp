// The launches of CUB's one-sweep radix sort, from its sources: CUB 3.0, compute capability 9.0, counts of 64 bits
// (cub/device/dispatch/tuning/tuning_radix_sort.cuh, scaled as util_arch.cuh does). Its models read it; cub_radix.cu
// holds it to the toolkit's own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/lsd_digits.hpp"

namespace sortlab::cub_onesweep {

inline constexpr int kDigitBits = 8;
inline constexpr int kLookBackBytes = 4;         ///< of a digit and tile
inline constexpr int kHistogramTile = 128 * 16;  ///< elements that a block counts at once
inline constexpr int kThreads = 384;             ///< of a block that ranks a tile

/// Elements of a thread of such a block. (Floats of 32 bits, alone, have one less.)
constexpr int items_of(std::size_t key_bytes, std::size_t value_bytes) {
  if (key_bytes > 4) return value_bytes < 8 ? 15 : 12;
  return value_bytes == 0 ? 19 : value_bytes == 4 ? 17 : 14;
}
constexpr int tile_of(std::size_t key_bytes, std::size_t value_bytes) {
  return kThreads * items_of(key_bytes, value_bytes);
}

/// Up to so many elements are sorted by one block: 19 words of 4 bytes per thread.
constexpr std::uint64_t single_tile(std::size_t key_bytes, std::size_t value_bytes) {
  return 256 * (19 * std::uint64_t{4} / std::max(key_bytes, value_bytes));
}

/// Counts have 32 bits, two of them flags, so that more elements are sorted in portions of whole tiles.
constexpr std::uint64_t portion_of(std::uint64_t tile) {
  return ((std::uint64_t{1} << 28) - 1) / tile * tile;
}

constexpr LsdDigits digits_of(int key_bytes, int digit_bits) {
  return {8 * key_bytes, digit_bits};
}

}  // namespace sortlab::cub_onesweep
