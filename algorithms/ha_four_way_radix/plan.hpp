// Plan of the sort, read by the sort and its model, where it differs from ha_implicit_radix: one split per pass, and
// smaller wide tiles.
#pragma once

#include "algorithms/common/cuda/counting_pass/plan.hpp"

namespace sortlab::ha::four_way {

inline constexpr int kSplits = 1;
inline constexpr int kDigitBits = kSplits * kSplitBits;

/// True for a wide tile, false for one of 1024 elements.
inline constexpr std::array kTiles{Choice<bool>{"1024", false}, Choice<bool>{"wide", true}};

/// Wide tile, for elements of any width
inline constexpr TileSize kWideTile = wide_tile(8);
constexpr TileSize tile_size(bool wide) {
  return wide ? kWideTile : kPaperTile;
}

}  // namespace sortlab::ha::four_way
