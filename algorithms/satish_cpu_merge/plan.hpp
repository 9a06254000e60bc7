// The plan that the sort runs and its model charges: the lanes of elements, tiles and their runs, and blocks.
#pragma once

#include <algorithm>
#include <cstddef>

namespace sortlab::satish_merge {

inline constexpr std::size_t kRows = 16;  ///< registers of a tile

/// True if a key and its value are one lane. A 32-bit key with a 32-bit value is one lane of 64 bits, with the key in
/// its upper half: it needs no second register, and costs the networks as much as a 64-bit key. Other values have lanes
/// as wide as those of their keys.
constexpr bool packs(std::size_t key_bytes, std::size_t value_bytes) {
  return key_bytes == 4 && value_bytes == 4;
}
constexpr bool has_value_lanes(std::size_t key_bytes, std::size_t value_bytes) {
  return value_bytes > 0 && !packs(key_bytes, value_bytes);
}
constexpr std::size_t lane_bytes(std::size_t key_bytes, std::size_t value_bytes) {
  return key_bytes == 16 ? 16 : key_bytes == 8 || value_bytes > 0 ? 8 : 4;
}

/// Registers that a merge network takes from each side. Several registers give its levels independent work, which hides
/// the latency of shuffles.
constexpr std::size_t merge_depth(bool value_lanes) {
  return value_lanes ? 2 : 4;
}

/// Number of elements of a tile.
constexpr std::size_t tile_elements(std::size_t lanes) {
  return kRows * lanes;
}
/// Length of the runs into which tiles are sorted: a column, or the input of a merge network if that is longer.
constexpr std::size_t run_elements(std::size_t lanes, std::size_t depth) {
  return std::max(kRows, depth * lanes);
}

/// Number of elements of a block, whole tiles: at most `most`, and such that all threads get the same number of blocks.
constexpr std::size_t block_elements(std::size_t n, std::size_t most, std::size_t threads, std::size_t tile) {
  most = std::max(most / tile, std::size_t{1}) * tile;
  const std::size_t rounds = std::max<std::size_t>((n + threads * most - 1) / (threads * most), 1);
  const std::size_t even = (n + threads * rounds - 1) / (threads * rounds);
  return std::max<std::size_t>((even + tile - 1) / tile, 1) * tile;
}

}  // namespace sortlab::satish_merge
