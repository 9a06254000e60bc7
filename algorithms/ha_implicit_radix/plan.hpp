// Plan of the sort, read by the sort and its model: the splits of a pass, and the tile shapes that have kernels.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "algorithms/common/cuda/counting_pass/plan.hpp"
#include "core/choice.hpp"

namespace sortlab::ha {

inline constexpr int kSplits = 2;  ///< splits of a pass
inline constexpr int kDigitBits = kSplits * kSplitBits;

/// Exchange of prefix sums between the lanes of a warp.
enum class WarpScan : std::uint8_t { shared, shuffle };
inline constexpr std::array kWarpScans{Choice<WarpScan>{"shared", WarpScan::shared},
                                       Choice<WarpScan>{"shuffle", WarpScan::shuffle}};

/// Width of the word that counts a tile.
inline constexpr std::array kCounterBits{Choice<int>{"32", 32}, Choice<int>{"64", 64}};
/// True if f32 keys are sorted by the bits that remain after mapping to [0.5, 1).
inline constexpr std::array kFloatBits{Choice<bool>{"exact", false}, Choice<bool>{"lossy", true}};

struct TileShape {
  bool wide;
  int counter_bits;
  WarpScan warp_scan;
  friend constexpr bool operator==(const TileShape&, const TileShape&) = default;
};
inline constexpr TileShape kPaperTile{.wide = false, .counter_bits = 32, .warp_scan = WarpScan::shared};
inline constexpr TileShape kShuffledTile{.wide = false, .counter_bits = 32, .warp_scan = WarpScan::shuffle};
inline constexpr TileShape kTileOf64{.wide = false, .counter_bits = 64, .warp_scan = WarpScan::shuffle};
inline constexpr TileShape kWideTile{.wide = true, .counter_bits = 64, .warp_scan = WarpScan::shuffle};
/// Tile shapes that have kernels: three counters of a wide tile need 64 bits, and 64-bit words are scanned only by
/// shuffles.
inline constexpr std::array kTileShapes{kPaperTile, kShuffledTile, kTileOf64, kWideTile};

inline TileShape parse_tile_shape(std::string_view tile, std::string_view counter_bits, std::string_view warp_scan) {
  return {.wide = chosen("tile", tile, kTiles),
          .counter_bits = chosen("counter_bits", counter_bits, kCounterBits),
          .warp_scan = chosen("warp_scan", warp_scan, kWarpScans)};
}

/// The reason a shape has no kernels, or nullopt.
inline std::optional<std::string> declines(const TileShape& shape) {
  if (std::find(kTileShapes.begin(), kTileShapes.end(), shape) != kTileShapes.end()) return std::nullopt;
  if (shape.wide && shape.counter_bits != 64) {
    return "three counters of a tile of more than 1024 elements need counter_bits=64";
  }
  return "scans words of 64 bits by shuffles only: warp_scan=shuffle";
}

/// Elements per thread; in a wide tile as many as shared memory and 80 registers allow.
constexpr int wide_items(std::size_t key_bytes, std::size_t value_bytes) {
  return key_bytes == 4 && value_bytes <= 4 ? 16 : 8;
}
constexpr int tile_items(bool wide, std::size_t key_bytes, std::size_t value_bytes) {
  return wide ? wide_items(key_bytes, value_bytes) : kPaperItems;
}

}  // namespace sortlab::ha
