// What the sort does and its model charges: how elements become lanes, tiles and their runs, and blocks.
#pragma once

#include <algorithm>
#include <cstddef>

namespace sortlab::satish_merge {

inline constexpr std::size_t kRows = 16;  ///< registers of a tile

/// A key of 32 bits with a value of 32 is one lane of 64, the key in its upper half: it needs no second register, and
/// costs the networks as much as a 64-bit key. Other values have lanes as wide as those of their keys.
constexpr bool packs(std::size_t key_bytes, std::size_t value_bytes) {
  return key_bytes == 4 && value_bytes == 4;
}
constexpr bool has_value_lanes(std::size_t key_bytes, std::size_t value_bytes) {
  return value_bytes > 0 && !packs(key_bytes, value_bytes);
}
constexpr std::size_t lane_bytes(std::size_t key_bytes, std::size_t value_bytes) {
  return key_bytes == 16 ? 16 : key_bytes == 8 || value_bytes > 0 ? 8 : 4;
}

/// Registers that a merge network takes from a side: several give its levels independent work, which hides the latency
/// of shuffles.
constexpr std::size_t merge_depth(bool value_lanes) {
  return value_lanes ? 2 : 4;
}

/// Elements of a tile, and of the runs into which tiles are sorted: the columns of its rows, or what a merge network
/// takes at once.
constexpr std::size_t tile_of(std::size_t lanes) {
  return kRows * lanes;
}
constexpr std::size_t run_of(std::size_t lanes, std::size_t depth) {
  return std::max(kRows, depth * lanes);
}

/// Elements of a block, whole tiles: as many as allowed, but so that each thread gets as many blocks.
constexpr std::size_t block_of(std::size_t n, std::size_t most, std::size_t threads, std::size_t tile) {
  most = std::max(most / tile, std::size_t{1}) * tile;
  const std::size_t rounds = std::max<std::size_t>((n + threads * most - 1) / (threads * most), 1);
  const std::size_t even = (n + threads * rounds - 1) / (threads * rounds);
  return std::max<std::size_t>((even + tile - 1) / tile, 1) * tile;
}

}  // namespace sortlab::satish_merge
