// What the sort launches and its model charges: the shapes of a tile that have kernels, digits, and the counters of a
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

inline constexpr int kTileThreads = 256;  ///< of a block, which orders a tile
inline constexpr int kSplitBits = 2;      ///< of a split, of which a pass has some
inline constexpr int kSplits = 2;
inline constexpr int kDigitBits = kSplits * kSplitBits;
inline constexpr int kCounterBytes = 4;  ///< of a digit and tile
inline constexpr int kOffsetBytes = 8;   ///< of their prefix sum

/// Whether pre-sorted tiles pass through memory before the shuffle (as printed), or are sorted in the kernel that
/// shuffles them, after one that only counts.
enum class Presort : std::uint8_t { stored, recomputed };
inline constexpr std::array kPresorts{Choice<Presort>{"stored", Presort::stored},
                                      Choice<Presort>{"recomputed", Presort::recomputed}};

enum class Scatter : std::uint8_t { aos, soa };  ///< what a middle pass writes: pairs, or keys and values apart
inline constexpr std::array kScatters{Choice<Scatter>{"aos", Scatter::aos}, Choice<Scatter>{"soa", Scatter::soa}};

/// How lanes of a warp exchange prefix sums.
enum class WarpScan : std::uint8_t { shared, shuffle };
inline constexpr std::array kWarpScans{Choice<WarpScan>{"shared", WarpScan::shared},
                                       Choice<WarpScan>{"shuffle", WarpScan::shuffle}};

/// Whether a tile is wide, rather than of 1024 elements.
inline constexpr std::array kTiles{Choice<bool>{"1024", false}, Choice<bool>{"wide", true}};
/// Bits of the word that counts a tile.
inline constexpr std::array kCounterBits{Choice<int>{"32", 32}, Choice<int>{"64", 64}};
/// Whether f32 keys are sorted by the bits that remain after mapping to [0.5, 1).
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
/// The shapes that have kernels: three counters of a wide tile need 64 bits, and 64-bit words are scanned only by
/// shuffles.
inline constexpr std::array kTileShapes{kPaperTile, kShuffledTile, kTileOf64, kWideTile};

inline TileShape tile_shape_of(std::string_view tile, std::string_view counter_bits, std::string_view warp_scan) {
  return {.wide = chosen("tile", tile, kTiles),
          .counter_bits = chosen("counter_bits", counter_bits, kCounterBits),
          .warp_scan = chosen("warp_scan", warp_scan, kWarpScans)};
}

/// Why a shape has no kernels, or nothing.
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
constexpr int items_of(bool wide, std::size_t key_bytes, std::size_t value_bytes) {
  return wide ? wide_items(key_bytes, value_bytes) : kPaperItems;
}

/// Of keys whose `bits` lowest bits are sorted by.
constexpr LsdDigits digits_of(int bits, int digit_bits = kDigitBits) {
  return {bits, digit_bits};
}

}  // namespace sortlab::ha
