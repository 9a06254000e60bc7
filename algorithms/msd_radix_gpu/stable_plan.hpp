// Sizes for which the kernels of the stable mode are compiled, and the memory they need.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/msd_radix_gpu/shared_memory.hpp"
#include "core/host_device.hpp"

namespace sortlab::msd_gpu::stable {

inline constexpr int kDigitBits = 8;
inline constexpr std::uint32_t kDigits = 1U << kDigitBits;
inline constexpr int kMinDigitBits = 5;  ///< minimum width of a digit, unless fewer bits are left
inline constexpr int kThreads = 512;     ///< threads of a block that counts, divides or moves
inline constexpr int kBlocks = 2;        ///< moving blocks per multiprocessor
inline constexpr int kMaxThreads = 1024;

constexpr std::uint32_t aligned(std::uint32_t bytes) {
  return (bytes + 15) / 16 * 16;
}
/// Shared memory, in bytes, that a block needs to rank keys stably (stable_rank.cuh).
constexpr std::uint32_t ranks_bytes(int threads) {
  return static_cast<std::uint32_t>(threads) / 32 * kDigits * 2 + 128;
}
/// Shared memory, in bytes, of a block that moves a tile (stable_move.cuh).
constexpr std::uint32_t tile_stage_bytes(int items, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const auto elements = static_cast<std::uint32_t>(kThreads * items);
  return elements * (key_bytes + value_bytes) + 2 * kDigits * 8 + ranks_bytes(kThreads) + 16;
}
/// Keys per thread of a tile.
constexpr int tile_items(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  auto items = static_cast<int>(128 / (key_bytes + value_bytes));
  while (items > 1 && tile_stage_bytes(items, key_bytes, value_bytes) > shared_of_blocks(kBlocks)) --items;
  return items;
}
constexpr std::uint32_t tile_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return static_cast<std::uint32_t>(kThreads * tile_items(key_bytes, value_bytes));
}

/// Number of size classes of buckets, each with its own block size and elements per thread.
inline constexpr int kClasses = 3;
struct Shape {
  int threads;
  int items;
  constexpr std::uint32_t elements() const { return static_cast<std::uint32_t>(threads * items); }
};
/// Shared memory, in bytes, of a block that sorts a bucket of at most shape.elements() elements (stable_bucket.cuh).
constexpr std::uint32_t bucket_stage_bytes(Shape shape, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  constexpr std::uint32_t kBeside = 256, kAhead = 4;
  const std::uint32_t elements = shape.elements(), values_at = aligned(kBeside + elements * key_bytes);
  const std::uint32_t bins = kBeside + static_cast<std::uint32_t>(shape.threads) * 32;
  return aligned(std::max({bins + (elements + kAhead) * 4 + elements * 2, values_at + elements * value_bytes,
                           values_at + aligned(elements * 2) + ranks_bytes(shape.threads)}));
}
/// Block shape of a size class, chosen so that a multiprocessor holds at least kMaxThreads threads of such blocks.
constexpr Shape class_shape(int size_class, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const int words = static_cast<int>((key_bytes + value_bytes) / 4);
  Shape shape{kMaxThreads, (18 + words / 2) / words};
  if (size_class == 0) shape = {256, 16 / words};
  if (size_class == 1) shape.threads = 512;
  const std::uint32_t room = shared_of_blocks(kMaxThreads / shape.threads);
  while (shape.items > 1 && bucket_stage_bytes(shape, key_bytes, value_bytes) > room) --shape.items;
  return shape;
}
/// Maximum number of elements that one block sorts in shared memory.
constexpr std::uint32_t bucket_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return class_shape(kClasses - 1, key_bytes, value_bytes).elements();
}
/// Intended maximum size of a sub-bucket of uniform keys: five standard deviations below the capacity of the second
/// size class.
constexpr std::uint32_t meant_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return class_shape(1, key_bytes, value_bytes).elements() / 10 * 9;
}
/// Width of the digit that divides a segment: the fewest bits that make sub-buckets of uniform keys of the intended
/// size.
constexpr int digit_bits(std::uint64_t count, int bits_left, std::uint32_t meant) {
  int bits = kMinDigitBits;
  while (bits < kDigitBits && count >> bits > meant) ++bits;
  return std::min(bits, bits_left);
}

/// Maximum n that is sorted by a single block.
inline constexpr std::uint32_t kMaxOneBlockElements = 8192;
constexpr std::uint32_t one_block_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return std::min(kMaxOneBlockElements, bucket_elements(key_bytes, value_bytes));
}
/// Number of shares: twice the blocks of a large GPU. If shares would be smaller than full tiles, tiles and merged
/// buckets shrink.
inline constexpr std::uint64_t kShares = 528;
inline constexpr std::uint32_t kMinMergedElements = 256;

/// Elements per tile.
constexpr std::uint32_t tile_size(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t share = (n / kShares + kThreads) / kThreads * kThreads;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(share, tile_elements(key_bytes, value_bytes)));
}
/// Maximum size of a sub-bucket that is merged with its neighbours, and the length within which merged sub-buckets
/// begin.
constexpr std::uint32_t merged_elements(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t most = class_shape(1, key_bytes, value_bytes).elements() / 2;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(n / kShares, kMinMergedElements, most));
}

/// Bounds of a *chunk*, the tiles of a segment that one block counts: a long segment has at most kMaxChunks chunks.
inline constexpr std::uint32_t kMaxChunks = 512;
inline constexpr std::uint32_t kMinChunkTiles = 4;
inline constexpr std::uint32_t kMaxChunkTiles = 8;
/// Tiles per chunk of a short segment, if its level has `tiles` tiles.
constexpr std::uint32_t chunk_tiles(std::uint64_t tiles) {
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(tiles / kMaxChunks / 2, kMinChunkTiles, kMaxChunkTiles));
}

/// Upper bounds of the lists' lengths for any input.
struct Bounds {
  std::uint64_t segments;  ///< segments per level
  std::uint64_t tiles;     ///< tiles per level
  std::uint64_t chunks;
  std::uint64_t buckets[kClasses];  ///< buckets per size class, over all levels
};
constexpr Bounds list_bounds(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t large = n / bucket_elements(key_bytes, value_bytes) + 1;
  const std::uint64_t levels = key_bytes * 8 / kMinDigitBits + 2;
  const std::uint64_t tiles = n / tile_size(n, key_bytes, value_bytes) + large;
  // A group of small sub-buckets has half of a merged bucket's elements, or borders on a sub-bucket that stands alone.
  return {.segments = large,
          .tiles = tiles,
          .chunks = tiles / chunk_tiles(n / tile_size(n, key_bytes, value_bytes)) + large,
          .buckets = {
              3 * (n / merged_elements(n, key_bytes, value_bytes)) + 2 * levels * large + std::uint64_t{4} * kDigits,
              n / class_shape(0, key_bytes, value_bytes).elements() + 1,
              n / class_shape(1, key_bytes, value_bytes).elements() + 1}};
}

}  // namespace sortlab::msd_gpu::stable
