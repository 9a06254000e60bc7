// What the sort launches and its model charges: the settings that have kernels, the tiles and shared memory of a block,
// and the counters of a pass.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/choice.hpp"
#include "core/lsd_digits.hpp"

namespace sortlab::split_radix {

inline constexpr int kWarp = 32;
inline constexpr int kMostThreads = 256;  ///< of a block
inline constexpr int kMostWarps = kMostThreads / kWarp;
inline constexpr int kMostDigitBits = 8;      ///< a thread counts digits in bytes
inline constexpr int kMostFusedBits = 5;      ///< a lane of 32 stands for a digit
inline constexpr int kHistogramBytes = 64;    ///< of keys that a thread of step 1 loads at once
inline constexpr int kCounterBytes = 4;       ///< of a digit and tile
inline constexpr int kOffsetBytes = 8;        ///< of their prefix sum
inline constexpr int kPlaceBytes = 16;        ///< of a digit: destinations of its keys and values (fused)
inline constexpr int kMovedBytes = 4;         ///< of an element moved as digit and index, not as a key (ballot)
inline constexpr int kTileDigitBytes = 12;    ///< of a digit in a tile: its destination and its start
inline constexpr int kSharedMemory = 232448;  ///< bytes that a block can have, compute capability 9.0

/// How a tile is sorted in step 3.
enum class Split {
  vertical,  ///< the paper's: by a block, each split with a scan and a move of the tile through shared memory
  ballot,    ///< by a warp: the same with ballots as scans
  fused,     ///< by a warp: all splits of a row of 32 keys in registers, then one move of the tile
};
inline constexpr std::array kSplits{Choice<Split>{"vertical", Split::vertical}, Choice<Split>{"ballot", Split::ballot},
                                    Choice<Split>{"fused", Split::fused}};

/// Elements per thread that have kernels, if a block sorts a tile and if a warp does.
inline constexpr std::array kItemsOfBlock{4, 8, 13, 16, 24};
inline constexpr std::array kItemsOfWarp{8, 16, 24, 32, 48};
constexpr std::span<const int> items_of(Split split) {
  if (split == Split::vertical) return kItemsOfBlock;
  return kItemsOfWarp;
}

struct Shape {
  Split split;
  int items;           ///< elements a thread
  int warps;           ///< of a block
  unsigned times = 1;  ///< times each tile is sorted: calibration sorts a few, many times
  constexpr std::uint32_t tile() const { return static_cast<std::uint32_t>(tile_warps() * kWarp * items); }
  /// Elements of a block.
  constexpr std::uint32_t block() const { return static_cast<std::uint32_t>(warps * kWarp * items); }
  /// Warps that sort a tile together.
  constexpr int tile_warps() const { return split == Split::vertical ? warps : 1; }
  constexpr std::uint32_t blocks(std::uint64_t tiles) const {
    const auto tiles_a_block = static_cast<std::uint64_t>(warps / tile_warps());
    return static_cast<std::uint32_t>((tiles + tiles_a_block - 1) / tiles_a_block);
  }
};

/// The preset paper, and `auto` for the splits by warps: tiles of at most 12 KiB per warp, so that enough warps are in
/// flight. What a sweep over both on an NVIDIA H200 found (README.md) differs in the warps of 8-byte keys alone.
inline constexpr Shape kPaper{.split = Split::vertical, .items = 13, .warps = 4};
constexpr int automatic_warps(std::uint32_t key_bytes) {
  return key_bytes == 8 ? 3 : 4;
}
constexpr int automatic_items(std::uint32_t element_bytes) {
  return element_bytes <= 8 ? 48 : element_bytes <= 16 ? 24 : 16;
}

/// Whether a ballot moves the key itself: if there is only a key, of 32 bits.
constexpr bool moves_keys(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return key_bytes == 4 && value_bytes == 0;
}

/// Bytes of shared memory of a warp that sorts a tile of `size` elements, `rest` of them for the kernel's own use.
constexpr std::uint32_t warp_tile_bytes(std::uint32_t size, std::uint32_t digits, std::uint32_t element_bytes,
                                        std::uint32_t rest) {
  const std::uint32_t bytes = size * element_bytes + digits * kTileDigitBytes + rest;
  return (bytes + 15) / 16 * 16;
}

/// Of a block of such warps.
constexpr std::uint32_t shared_bytes(const Shape& shape, std::uint32_t digits, std::uint32_t key_bytes,
                                     std::uint32_t value_bytes) {
  const std::uint32_t moved = moves_keys(key_bytes, value_bytes) ? 0 : shape.tile() * kMovedBytes;
  const std::uint32_t rest = shape.split == Split::fused ? digits * kPlaceBytes : moved;
  return static_cast<std::uint32_t>(shape.warps) * warp_tile_bytes(shape.tile(), digits, key_bytes + value_bytes, rest);
}

/// Why a setting cannot be launched, or nothing.
inline std::optional<std::string> declines(const Shape& shape, int digit_bits, std::uint32_t key_bytes,
                                           std::uint32_t value_bytes) {
  const std::span<const int> compiled = items_of(shape.split);
  if (std::find(compiled.begin(), compiled.end(), shape.items) == compiled.end()) {
    std::string reason = "items must be " + listed(compiled) + " with ";
    const char* separator = "";
    for (const auto& [word, split] : kSplits) {
      if (items_of(split).data() != compiled.data()) continue;
      reason += std::exchange(separator, " and ") + ("split=" + std::string{word});
    }
    return reason;
  }
  if (shape.split == Split::vertical) return std::nullopt;  // tiles of all its items fit
  if (shape.split == Split::fused && digit_bits > kMostFusedBits) {
    return "digit_bits must be at most " + std::to_string(kMostFusedBits) +
           " with split=fused, where each digit has one of 32 lanes";
  }
  if (shared_bytes(shape, std::uint32_t{1} << digit_bits, key_bytes, value_bytes) > kSharedMemory) {
    return "a block's tiles do not fit in shared memory: use fewer items";
  }
  return std::nullopt;
}

constexpr LsdDigits digits_of(int key_bytes, int digit_bits) {
  return {8 * key_bytes, digit_bits};
}

/// Dependent loads of a thread in step 1: some keys at once, and the remainder key by key.
constexpr int batches(int items, int key_bytes) {
  const int at_once = kHistogramBytes / key_bytes;
  return items / at_once + items % at_once;
}

}  // namespace sortlab::split_radix
