// Lists of segments, chunks, tiles and buckets, through which the kernels of the stable mode pass the tree of buckets
// from level to level in global memory.
#pragma once

#include <cstdint>

#include "algorithms/msd_radix_gpu/stable_plan.hpp"

namespace sortlab::msd_gpu::stable {

enum class Kind : std::uint8_t {
  divide,  ///< partitioned by the level's digit
  copy,    ///< sorted, but in the other buffer: copied
  done,    ///< nothing to move
};

/// A bucket too large for one block: contiguous keys that differ only in their `bits_left` lowest bits.
struct Segment {
  unsigned long long begin;
  unsigned long long count;
  unsigned long long differ[2];  ///< bits in which any key differs from the first
  std::uint32_t first_tile;      ///< index in the level's list of tiles
  std::uint32_t tiles;
  std::uint32_t first_chunk;
  std::uint32_t chunks;
  std::uint32_t chunk_tiles;  ///< tiles per chunk; the last chunk may have fewer
  std::uint16_t bits_left;
  std::uint8_t bits;    ///< width of the level's digit
  std::uint8_t buffer;  ///< buffer that holds it: 0 is the input's, which receives the result
  Kind kind;
  bool ascends;  ///< true for an LSD pass over all keys

  SORTLAB_HOST_DEVICE int shift() const { return bits_left - bits; }
};

/// Contiguous keys that one block sorts in shared memory.
struct Bucket {
  unsigned long long begin;
  std::uint32_t count;
  std::uint8_t bits_left;
  std::uint8_t buffer;
  std::uint16_t merged;  ///< 1 if it combines several digits; its keys then need not start at a digit boundary
};

inline constexpr int kMaxLevels = 32;

struct State {
  std::uint32_t segments[kMaxLevels];
  std::uint32_t tiles[kMaxLevels];
  std::uint32_t chunks[kMaxLevels];
  std::uint32_t next_tile[kMaxLevels];  ///< next tile to be moved
  std::uint32_t buckets[kClasses];
};

struct Lists {
  State* state;
  Segment* segments[2];           ///< indexed by the level's parity, as are the next two
  std::uint32_t* tiles[2];        ///< segment of each tile
  std::uint32_t* chunks[2];       ///< segment of each chunk
  std::uint32_t* tile_counts;     ///< per tile and digit: keys in the tiles before it of its chunk
  unsigned long long* chunk_row;  ///< per chunk and digit: number of keys, then the position of the first
  Bucket* buckets[kClasses];
  std::uint64_t n;
  std::uint32_t tile_elements;
  std::uint32_t chunk_tiles;
  std::uint32_t merged_elements;
  std::uint32_t meant_elements;
  bool one_level;                ///< true if uniform keys need only one level
  std::uint32_t ends[kClasses];  ///< maximum number of elements per size class

  // A run-time subscript would make the compiler keep the lists in local memory.
  SORTLAB_HOST_DEVICE Segment* level_segments(int level) const { return level % 2 == 0 ? segments[0] : segments[1]; }
  SORTLAB_HOST_DEVICE std::uint32_t* level_tiles(int level) const { return level % 2 == 0 ? tiles[0] : tiles[1]; }
  SORTLAB_HOST_DEVICE std::uint32_t* level_chunks(int level) const { return level % 2 == 0 ? chunks[0] : chunks[1]; }
  SORTLAB_HOST_DEVICE Bucket* class_buckets(int size_class) const {
    return size_class == 0 ? buckets[0] : size_class == 1 ? buckets[1] : buckets[2];
  }
  SORTLAB_HOST_DEVICE int size_class_for(std::uint64_t count) const {
    return count <= ends[0] ? 0 : count <= ends[1] ? 1 : 2;
  }
  SORTLAB_HOST_DEVICE std::uint32_t tiles_in(std::uint64_t count) const {
    return static_cast<std::uint32_t>((count + tile_elements - 1) / tile_elements);
  }
  /// A segment without its position in the lists.
  SORTLAB_HOST_DEVICE Segment segment(std::uint64_t begin, std::uint64_t count, int bits_left, int buffer) const {
    const std::uint32_t its_tiles = tiles_in(count);
    const std::uint32_t for_most = (its_tiles + kMaxChunks - 1) / kMaxChunks;
    const std::uint32_t tiles_per_chunk = for_most > chunk_tiles ? for_most : chunk_tiles;
    return {.begin = begin,
            .count = count,
            .differ = {0, 0},
            .first_tile = 0,
            .tiles = its_tiles,
            .first_chunk = 0,
            .chunks = (its_tiles + tiles_per_chunk - 1) / tiles_per_chunk,
            .chunk_tiles = tiles_per_chunk,
            .bits_left = static_cast<std::uint16_t>(bits_left),
            .bits = static_cast<std::uint8_t>(digit_bits(count, bits_left, meant_elements)),
            .buffer = static_cast<std::uint8_t>(buffer),
            .kind = bits_left == 0 ? Kind::copy : Kind::divide,
            .ascends = false};
  }
  /// LSD pass over all keys by the digit from `shift` on, with at most `most` bits.
  SORTLAB_HOST_DEVICE Segment ascending(int shift, int most, int buffer) const {
    Segment all = segment(0, n, shift + (most < kDigitBits ? most : kDigitBits), buffer);
    all.bits = static_cast<std::uint8_t>(all.bits_left - shift);
    all.ascends = true;
    return all;
  }
};

}  // namespace sortlab::msd_gpu::stable
