// Launches of CUB's one-sweep radix sort, read by its models. From its sources: CUB 3.0, compute capability 9.0, 64-bit
// counts (cub/device/dispatch/tuning/tuning_radix_sort.cuh, scaled as in util_arch.cuh). cub_radix.cu checks it against
// the toolkit's own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/lsd_digits.hpp"

namespace sortlab::cub_onesweep {

inline constexpr int kDigitBits = 8;
inline constexpr int kLookBackBytes = 4;         ///< bytes of look-back per digit and tile
inline constexpr int kHistogramTile = 128 * 16;  ///< elements that a block counts at a time
inline constexpr int kThreads = 384;             ///< threads of a block that ranks a tile

/// Elements per thread of such a block. (f32 without values has one less.)
constexpr int tile_items(std::size_t key_bytes, std::size_t value_bytes) {
  if (key_bytes > 4) return value_bytes < 8 ? 15 : 12;
  return value_bytes == 0 ? 19 : value_bytes == 4 ? 17 : 14;
}
constexpr int tile_elements(std::size_t key_bytes, std::size_t value_bytes) {
  return kThreads * tile_items(key_bytes, value_bytes);
}

/// Maximum number of elements sorted by one block: 19 4-byte words per thread.
constexpr std::uint64_t single_tile(std::size_t key_bytes, std::size_t value_bytes) {
  return 256 * (19 * std::uint64_t{4} / std::max(key_bytes, value_bytes));
}

/// Maximum number of elements of a portion, a multiple of the tile. Counts have 32 bits, two of them flags, so larger
/// inputs are sorted in portions.
constexpr std::uint64_t portion_elements(std::uint64_t tile) {
  return ((std::uint64_t{1} << 28) - 1) / tile * tile;
}

constexpr LsdDigits lsd_digits(int key_bytes, int digit_bits) {
  return {8 * key_bytes, digit_bits};
}

/// Launches of a sort, for tiles of `tile` elements, `items` for each thread.
struct Launches {
  LsdDigits digits;
  std::uint64_t tile;
  int items;
  std::uint64_t portion;      ///< maximum number of elements of one launch
  std::uint64_t single_tile;  ///< maximum number of elements that one block sorts instead
  int histogram_tile = kHistogramTile;
  int look_back_bytes = kLookBackBytes;
};
constexpr Launches launches(std::size_t key_bytes, std::size_t value_bytes, int digit_bits, int threads, int items) {
  const auto tile = static_cast<std::uint64_t>(threads) * static_cast<std::uint64_t>(items);
  return {.digits = lsd_digits(static_cast<int>(key_bytes), digit_bits),
          .tile = tile,
          .items = items,
          .portion = portion_elements(tile),
          .single_tile = single_tile(key_bytes, value_bytes)};
}
/// Launches with the tiles that the toolkit ships.
constexpr Launches launches(std::size_t key_bytes, std::size_t value_bytes, int digit_bits) {
  return launches(key_bytes, value_bytes, digit_bits, kThreads, tile_items(key_bytes, value_bytes));
}

}  // namespace sortlab::cub_onesweep
