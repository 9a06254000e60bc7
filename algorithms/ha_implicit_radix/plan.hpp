// Plan of the sort, read by the sort and its model: the tile shapes that have kernels, digits, and the counters of a
// pass.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/choice.hpp"
#include "core/lsd_digits.hpp"

namespace sortlab::ha {

inline constexpr int kTileThreads = 256;  ///< threads of a block, which orders a tile
inline constexpr int kSplitBits = 2;      ///< bits of a split; a pass consists of several splits
inline constexpr int kSplits = 2;
inline constexpr int kDigitBits = kSplits * kSplitBits;
inline constexpr int kCounterBytes = 4;  ///< bytes of a counter per digit and tile
inline constexpr int kOffsetBytes = 8;   ///< bytes of its prefix sum

/// Stored: pre-sorted tiles pass through memory before the shuffle (as printed). Recomputed: the shuffling kernel sorts
/// them, after one that only counts.
enum class Presort : std::uint8_t { stored, recomputed };
inline constexpr std::array kPresorts{Choice<Presort>{"stored", Presort::stored},
                                      Choice<Presort>{"recomputed", Presort::recomputed}};

/// Output of a middle pass: pairs, or separate arrays of keys and values
enum class Scatter : std::uint8_t { aos, soa };
inline constexpr std::array kScatters{Choice<Scatter>{"aos", Scatter::aos}, Choice<Scatter>{"soa", Scatter::soa}};

/// Exchange of prefix sums between the lanes of a warp.
enum class WarpScan : std::uint8_t { shared, shuffle };
inline constexpr std::array kWarpScans{Choice<WarpScan>{"shared", WarpScan::shared},
                                       Choice<WarpScan>{"shuffle", WarpScan::shuffle}};

/// True for a wide tile, false for one of 1024 elements.
inline constexpr std::array kTiles{Choice<bool>{"1024", false}, Choice<bool>{"wide", true}};
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
inline constexpr int kPaperItems = 4;
constexpr int wide_items(std::size_t key_bytes, std::size_t value_bytes) {
  return key_bytes == 4 && value_bytes <= 4 ? 16 : 8;
}
constexpr int tile_items(bool wide, std::size_t key_bytes, std::size_t value_bytes) {
  return wide ? wide_items(key_bytes, value_bytes) : kPaperItems;
}

/// Digits of keys that are sorted by their `bits` lowest bits.
constexpr LsdDigits lsd_digits(int bits, int digit_bits = kDigitBits) {
  return {bits, digit_bits};
}

}  // namespace sortlab::ha
