// What the kernels of the stable mode are compiled for, and the memory that they need.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/msd_radix_gpu/shared_memory.hpp"
#include "core/host_device.hpp"

namespace sortlab::msd_gpu::stable {

inline constexpr int kDigitBits = 8;
inline constexpr std::uint32_t kDigits = 1U << kDigitBits;
inline constexpr int kFewestBits = 5;  ///< of a digit, unless fewer are left
inline constexpr int kThreads = 512;   ///< of a block that counts, divides or moves
inline constexpr int kBlocks = 2;      ///< of them that move on a multiprocessor
inline constexpr int kMostThreads = 1024;

constexpr std::uint32_t aligned(std::uint32_t bytes) {
  return (bytes + 15) / 16 * 16;
}
/// What a block needs to rank keys in order (stable_rank.cuh).
constexpr std::uint32_t ranks_bytes(int threads) {
  return static_cast<std::uint32_t>(threads) / 32 * kDigits * 2 + 128;
}
/// Shared memory of a block that moves a tile (stable_move.cuh).
constexpr std::uint32_t tile_stage_bytes(int items, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const auto elements = static_cast<std::uint32_t>(kThreads * items);
  return elements * (key_bytes + value_bytes) + 2 * kDigits * 8 + ranks_bytes(kThreads) + 16;
}
/// Keys of a tile that a thread holds, by the bytes of an element.
constexpr int tile_items(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  auto items = static_cast<int>(128 / (key_bytes + value_bytes));
  while (items > 1 && tile_stage_bytes(items, key_bytes, value_bytes) > shared_of_blocks(kBlocks)) --items;
  return items;
}
constexpr std::uint32_t tile_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return static_cast<std::uint32_t>(kThreads * tile_items(key_bytes, value_bytes));
}

/// Buckets are sorted in shared memory by size classes: threads of a block, and elements of a thread.
inline constexpr int kClasses = 3;
struct Shape {
  int threads;
  int items;
  constexpr std::uint32_t elements() const { return static_cast<std::uint32_t>(threads * items); }
};
/// Shared memory of a block that sorts a bucket of at most shape.elements() (stable_bucket.cuh).
constexpr std::uint32_t bucket_stage_bytes(Shape shape, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  constexpr std::uint32_t kBeside = 256, kAhead = 4;
  const std::uint32_t elements = shape.elements(), values_at = aligned(kBeside + elements * key_bytes);
  const std::uint32_t bins = kBeside + static_cast<std::uint32_t>(shape.threads) * 32;
  return aligned(std::max({bins + (elements + kAhead) * 4 + elements * 2, values_at + elements * value_bytes,
                           values_at + aligned(elements * 2) + ranks_bytes(shape.threads)}));
}
/// Of them a multiprocessor holds as many blocks as make kMostThreads, at least.
constexpr Shape class_shape(int size_class, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const int words = static_cast<int>((key_bytes + value_bytes) / 4);
  Shape shape{kMostThreads, (18 + words / 2) / words};
  if (size_class == 0) shape = {256, 16 / words};
  if (size_class == 1) shape.threads = 512;
  const std::uint32_t room = shared_of_blocks(kMostThreads / shape.threads);
  while (shape.items > 1 && bucket_stage_bytes(shape, key_bytes, value_bytes) > room) --shape.items;
  return shape;
}
/// What a block can sort in shared memory.
constexpr std::uint32_t bucket_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return class_shape(kClasses - 1, key_bytes, value_bytes).elements();
}
/// Of uniform keys, sub-buckets are meant to have so many at most: five standard deviations below the second class.
constexpr std::uint32_t meant_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return class_shape(1, key_bytes, value_bytes).elements() / 10 * 9;
}
/// Bits of the digit by which a segment is divided: as few as make sub-buckets of uniform keys that small.
constexpr int digit_bits(std::uint64_t count, int left, std::uint32_t meant) {
  int bits = kFewestBits;
  while (bits < kDigitBits && count >> bits > meant) ++bits;
  return std::min(bits, left);
}

/// One block sorts so many, if it can.
inline constexpr std::uint32_t kFewKeys = 8192;
constexpr std::uint32_t few_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return std::min(kFewKeys, bucket_elements(key_bytes, value_bytes));
}
/// Work for each block of a large GPU twice: where there are fewer elements, tiles and merged buckets are smaller.
inline constexpr std::uint64_t kShares = 528;
inline constexpr std::uint32_t kFewestMerged = 256;

/// Elements of a tile.
constexpr std::uint32_t tile_size(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t share = (n / kShares + kThreads) / kThreads * kThreads;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(share, tile_elements(key_bytes, value_bytes)));
}
/// Neighbouring sub-buckets are sorted as one as long as they begin within so many elements; none of them has more.
constexpr std::uint32_t merged_elements(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t most = class_shape(1, key_bytes, value_bytes).elements() / 2;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(n / kShares, kFewestMerged, most));
}

/// Tiles of a segment that one block counts, a *chunk*: of a long segment so many that it has no more than kMostChunks.
inline constexpr std::uint32_t kMostChunks = 512;
inline constexpr std::uint32_t kFewestTiles = 4;
inline constexpr std::uint32_t kChunkTiles = 8;
/// Of a short one, where a level has `tiles`.
constexpr std::uint32_t chunk_tiles(std::uint64_t tiles) {
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(tiles / kMostChunks / 2, kFewestTiles, kChunkTiles));
}

/// The most of anything in a list, whatever the keys.
struct Bounds {
  std::uint64_t segments;  ///< of a level: sub-buckets that no block can sort
  std::uint64_t tiles;     ///< of those
  std::uint64_t chunks;
  std::uint64_t buckets[kClasses];  ///< of a size class, of all levels
};
constexpr Bounds bounds_of(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t large = n / bucket_elements(key_bytes, value_bytes) + 1;
  const std::uint64_t levels = key_bytes * 8 / kFewestBits + 2;
  const std::uint64_t tiles = n / tile_size(n, key_bytes, value_bytes) + large;
  // A group of small sub-buckets has half of a merged bucket's elements, or is beside a sub-bucket that stands alone.
  return {.segments = large,
          .tiles = tiles,
          .chunks = tiles / chunk_tiles(n / tile_size(n, key_bytes, value_bytes)) + large,
          .buckets = {
              3 * (n / merged_elements(n, key_bytes, value_bytes)) + 2 * levels * large + std::uint64_t{4} * kDigits,
              n / class_shape(0, key_bytes, value_bytes).elements() + 1,
              n / class_shape(1, key_bytes, value_bytes).elements() + 1}};
}

}  // namespace sortlab::msd_gpu::stable
