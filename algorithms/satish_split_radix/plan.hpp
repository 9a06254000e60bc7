// Plan of the sort, read by the sort and its model: the settings that have kernels, the tiles and shared memory of a
// block, and the counters of a pass.
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
inline constexpr int kMaxThreads = 256;  ///< maximum threads of a block
inline constexpr int kMaxWarps = kMaxThreads / kWarp;
inline constexpr int kMaxDigitBits = 8;     ///< limited by byte-wide counters per thread
inline constexpr int kMaxFusedBits = 5;     ///< limited by one lane per digit
inline constexpr int kHistogramBytes = 64;  ///< bytes of keys that a thread of step 1 loads at a time
inline constexpr int kCounterBytes = 4;     ///< bytes of a counter per digit and tile
inline constexpr int kOffsetBytes = 8;      ///< bytes of its prefix sum
inline constexpr int kPlaceBytes = 16;      ///< bytes per digit: destinations of its keys and values (fused)
inline constexpr int kMovedBytes = 4;  ///< bytes of an element moved as digit and index instead of as a key (ballot)
inline constexpr int kTileDigitBytes = 12;              ///< bytes per digit of a tile: its destination and its start
inline constexpr std::uint32_t kBufferElements = 16;    ///< elements of a digit's buffer (buffers)
inline constexpr std::uint32_t kBufferStateBytes = 16;  ///< bytes per digit: its buffer's place and two slots (buffers)
/// Maximum shared memory of a block, in bytes, for compute capability 9.0
inline constexpr int kSharedMemory = 232448;

/// Sort of a tile in step 3.
enum class Split {
  vertical,  ///< the paper's, by a block: each split is a scan and a move of the tile through shared memory
  ballot,    ///< one tile per warp: the same splits with ballots as scans
  fused,     ///< one tile per warp: all splits of a row of 32 keys in registers, then one move of the tile
  buffers,   ///< one tile per warp, not split: one lane appends each key to its digit's buffer, as the CPU's sort does
};
inline constexpr std::array kSplits{Choice<Split>{"vertical", Split::vertical}, Choice<Split>{"ballot", Split::ballot},
                                    Choice<Split>{"fused", Split::fused}, Choice<Split>{"buffers", Split::buffers}};

/// Elements per thread that have kernels, for a tile per block and for a tile per warp.
inline constexpr std::array kItemsOfBlock{4, 8, 13, 16, 24};
inline constexpr std::array kItemsOfWarp{8, 16, 24, 32, 48};
constexpr std::span<const int> compiled_items(Split split) {
  if (split == Split::vertical) return kItemsOfBlock;
  return kItemsOfWarp;
}

struct Shape {
  Split split;
  int items;           ///< elements per thread
  int warps;           ///< warps per block
  unsigned times = 1;  ///< repetitions of each tile's sort: calibration sorts a few tiles many times
  constexpr std::uint32_t tile() const { return static_cast<std::uint32_t>(tile_warps() * kWarp * items); }
  /// Number of elements of a block.
  constexpr std::uint32_t block() const { return static_cast<std::uint32_t>(warps * kWarp * items); }
  /// Number of warps that sort a tile together.
  constexpr int tile_warps() const { return split == Split::vertical ? warps : 1; }
  constexpr std::uint32_t blocks(std::uint64_t tiles) const {
    const auto tiles_per_block = static_cast<std::uint64_t>(warps / tile_warps());
    return static_cast<std::uint32_t>((tiles + tiles_per_block - 1) / tiles_per_block);
  }
};

/// The preset `paper`, and `auto` for the splits by warps: tiles of at most 12 KiB per warp, so that enough warps are
/// in flight. A sweep over items and warps on an NVIDIA H200 (README.md) led to fewer warps for 8-byte keys only.
inline constexpr Shape kPaper{.split = Split::vertical, .items = 13, .warps = 4};
constexpr int automatic_warps(std::uint32_t key_bytes) {
  return key_bytes == 8 ? 3 : 4;
}
constexpr int automatic_items(std::uint32_t element_bytes) {
  return element_bytes <= 8 ? 48 : element_bytes <= 16 ? 24 : 16;
}

/// True if a ballot split moves the key itself: for 32-bit keys without values.
constexpr bool moves_keys(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return key_bytes == 4 && value_bytes == 0;
}

/// Shared memory, in bytes, of a warp that sorts a tile of `size` elements; `rest`: bytes that the kernel needs
/// besides.
constexpr std::uint32_t warp_tile_bytes(std::uint32_t size, std::uint32_t digits, std::uint32_t element_bytes,
                                        std::uint32_t rest) {
  const std::uint32_t bytes = size * element_bytes + digits * kTileDigitBytes + rest;
  return (bytes + 15) / 16 * 16;
}

/// Shared memory, in bytes, of a warp that appends elements to buffers: the buffers, and a row of its tile.
constexpr std::uint32_t buffer_bytes(std::uint32_t digits, std::uint32_t element_bytes) {
  return digits * (kBufferElements * element_bytes + kBufferStateBytes) + kWarp * element_bytes;
}

/// Shared memory of a block of warps with a tile each, in bytes.
constexpr std::uint32_t shared_bytes(const Shape& shape, std::uint32_t digits, std::uint32_t key_bytes,
                                     std::uint32_t value_bytes) {
  if (shape.split == Split::buffers) {
    return static_cast<std::uint32_t>(shape.warps) * buffer_bytes(digits, key_bytes + value_bytes);
  }
  const std::uint32_t moved = moves_keys(key_bytes, value_bytes) ? 0 : shape.tile() * kMovedBytes;
  const std::uint32_t rest = shape.split == Split::fused ? digits * kPlaceBytes : moved;
  return static_cast<std::uint32_t>(shape.warps) * warp_tile_bytes(shape.tile(), digits, key_bytes + value_bytes, rest);
}

/// The reason a setting cannot be launched, or nullopt.
inline std::optional<std::string> declines(const Shape& shape, int digit_bits, std::uint32_t key_bytes,
                                           std::uint32_t value_bytes) {
  const std::span<const int> compiled = compiled_items(shape.split);
  if (std::find(compiled.begin(), compiled.end(), shape.items) == compiled.end()) {
    std::string reason = "items must be " + listed(compiled) + " with ";
    const char* separator = "split=";
    for (const auto& [word, split] : kSplits) {
      if (compiled_items(split).data() != compiled.data()) continue;
      reason += std::exchange(separator, ", ") + std::string{word};
    }
    return reason;
  }
  if (shape.split == Split::vertical) return std::nullopt;  // all its tiles fit
  if (shape.split == Split::fused && digit_bits > kMaxFusedBits) {
    return "digit_bits must be at most " + std::to_string(kMaxFusedBits) +
           " with split=fused, where each digit has one of 32 lanes";
  }
  if (shared_bytes(shape, std::uint32_t{1} << digit_bits, key_bytes, value_bytes) > kSharedMemory) {
    return shape.split == Split::buffers
               ? "a block's buffers do not fit in shared memory: use fewer digit_bits or warps"
               : "a block's tiles do not fit in shared memory: use fewer items";
  }
  return std::nullopt;
}

constexpr LsdDigits lsd_digits(int key_bytes, int digit_bits) {
  return {8 * key_bytes, digit_bits};
}

/// Number of dependent loads of a thread in step 1: some keys at a time, and the remainder key by key.
constexpr int batches(int items, int key_bytes) {
  const int at_once = kHistogramBytes / key_bytes;
  return items / at_once + items % at_once;
}

}  // namespace sortlab::split_radix
