// Plan of the sort, read by the sort and its model: the splits of a pass, and the tile shapes that have kernels.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

/// Tile of a block. In tiles of a number of elements each thread holds four; the threads of a wide tile hold more.
enum class Tile : std::uint8_t { of_512, of_1024, of_2048, wide };
inline constexpr std::array kTiles{Choice<Tile>{"512", Tile::of_512}, Choice<Tile>{"1024", Tile::of_1024},
                                   Choice<Tile>{"2048", Tile::of_2048}, Choice<Tile>{"wide", Tile::wide}};

struct TileShape {
  Tile tile;
  int counter_bits;
  WarpScan warp_scan;
  friend constexpr bool operator==(const TileShape&, const TileShape&) = default;
};
inline constexpr TileShape kPaperShape{.tile = Tile::of_1024, .counter_bits = 32, .warp_scan = WarpScan::shared};
inline constexpr TileShape kShuffledShape{.tile = Tile::of_1024, .counter_bits = 32, .warp_scan = WarpScan::shuffle};
inline constexpr TileShape kShapeOf64{.tile = Tile::of_1024, .counter_bits = 64, .warp_scan = WarpScan::shuffle};
inline constexpr TileShape kWideShape{.tile = Tile::wide, .counter_bits = 64, .warp_scan = WarpScan::shuffle};
/// Half of the paper's tile, and twice: three counters of 11 bits need more than 32 (section 5: 33).
inline constexpr TileShape kHalfShape{.tile = Tile::of_512, .counter_bits = 32, .warp_scan = WarpScan::shared};
inline constexpr TileShape kDoubleShape{.tile = Tile::of_2048, .counter_bits = 64, .warp_scan = WarpScan::shared};
/// Tile shapes that have kernels.
inline constexpr std::array kTileShapes{kPaperShape, kShuffledShape, kShapeOf64, kWideShape, kHalfShape, kDoubleShape};

inline TileShape parse_tile_shape(std::string_view tile, std::string_view counter_bits, std::string_view warp_scan) {
  return {.tile = chosen("tile", tile, kTiles),
          .counter_bits = chosen("counter_bits", counter_bits, kCounterBits),
          .warp_scan = chosen("warp_scan", warp_scan, kWarpScans)};
}

/// The name by which a parameter chooses `value`.
template <class T, std::size_t N>
std::string find_word(T value, const std::array<Choice<T>, N>& choices) {
  return std::string{std::ranges::find(choices, value, &Choice<T>::value)->word};
}

/// The reason a shape has no kernels, or nullopt.
inline std::optional<std::string> declines(const TileShape& shape) {
  if (std::find(kTileShapes.begin(), kTileShapes.end(), shape) != kTileShapes.end()) return std::nullopt;
  std::string reason = "tile=" + find_word(shape.tile, kTiles) + " has kernels for ";
  const char* separator = "";
  for (const TileShape& compiled : kTileShapes) {
    if (compiled.tile != shape.tile) continue;
    reason += std::exchange(separator, ", or ") + ("counter_bits=" + std::to_string(compiled.counter_bits)) +
              " with warp_scan=" + find_word(compiled.warp_scan, kWarpScans);
  }
  const bool needs_64 = shape.tile == Tile::of_2048 || shape.tile == Tile::wide;
  return reason + (needs_64 ? ": three counters of more than 1024 elements do not fit 32 bits" : "");
}

/// Size of a tile; the threads of a wide one hold as many elements as shared memory and 80 registers allow.
constexpr TileSize tile_size(Tile tile, std::size_t key_bytes, std::size_t value_bytes) {
  switch (tile) {
    case Tile::of_512: return {.threads = kPaperTile.threads / 2, .items = kPaperTile.items};
    case Tile::of_1024: return kPaperTile;
    case Tile::of_2048: return {.threads = kPaperTile.threads * 2, .items = kPaperTile.items};
    case Tile::wide: return wide_tile(key_bytes == 4 && value_bytes <= 4 ? 16 : 8);
  }
  return kPaperTile;
}

}  // namespace sortlab::ha
