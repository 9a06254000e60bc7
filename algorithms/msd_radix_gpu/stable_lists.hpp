// The tree of buckets of the stable mode, level by level, as its kernels tell it each other through device memory.
#pragma once

#include <cstdint>

#include "algorithms/msd_radix_gpu/stable_plan.hpp"

namespace sortlab::msd_gpu::stable {

enum class Kind : std::uint8_t {
  divide,  ///< its tiles are partitioned by the level's digit
  copy,    ///< all its keys are in place, but in the other array
  done,    ///< nothing is to be moved
};

/// A bucket that no block can sort: keys in a row that agree but for their `left` lowest bits.
struct Segment {
  unsigned long long begin;
  unsigned long long count;
  unsigned long long differ[2];  ///< bits in which a key differs from the first
  std::uint32_t first_tile;      ///< of the level's
  std::uint32_t tiles;
  std::uint32_t first_chunk;
  std::uint32_t chunks;
  std::uint32_t chunk_tiles;  ///< of a chunk, but the last may have fewer
  std::uint16_t left;
  std::uint8_t bits;  ///< of the level's digit
  std::uint8_t side;  ///< the array that holds it: 0 the input's, which will hold the result
  Kind kind;
  bool ascends;  ///< all keys, by the digits from the lowest on

  SORTLAB_HOST_DEVICE int shift() const { return left - bits; }
};

/// Keys in a row that one block sorts.
struct Bucket {
  unsigned long long begin;
  std::uint32_t count;
  std::uint8_t left;
  std::uint8_t side;
  std::uint16_t merged;  ///< whether it is of several digits, and need not begin where its range does
};

inline constexpr int kMostLevels = 32;

struct State {
  std::uint32_t segments[kMostLevels];
  std::uint32_t tiles[kMostLevels];
  std::uint32_t chunks[kMostLevels];
  std::uint32_t next_tile[kMostLevels];  ///< to be moved
  std::uint32_t buckets[kClasses];
};

struct Lists {
  State* state;
  Segment* segments[2];           ///< by a level's parity, as the next two
  std::uint32_t* tiles[2];        ///< of which segment a tile is
  std::uint32_t* chunks[2];       ///< of which segment a chunk is
  std::uint32_t* tile_counts;     ///< of a tile's digits: keys in the tiles before it of its chunk
  unsigned long long* chunk_row;  ///< of a chunk's digits: keys, then where in memory the first of them goes
  Bucket* buckets[kClasses];
  std::uint64_t n;
  std::uint32_t tile_elements;
  std::uint32_t chunk_tiles;
  std::uint32_t merged_elements;
  std::uint32_t meant_elements;
  bool one_level;                ///< is all that uniform keys need
  std::uint32_t ends[kClasses];  ///< elements of a size class at most

  // A run-time subscript would have the compiler keep the lists in memory of each thread.
  SORTLAB_HOST_DEVICE Segment* segments_of(int level) const { return level % 2 == 0 ? segments[0] : segments[1]; }
  SORTLAB_HOST_DEVICE std::uint32_t* tiles_of(int level) const { return level % 2 == 0 ? tiles[0] : tiles[1]; }
  SORTLAB_HOST_DEVICE std::uint32_t* chunks_of(int level) const { return level % 2 == 0 ? chunks[0] : chunks[1]; }
  SORTLAB_HOST_DEVICE Bucket* buckets_of(int size_class) const {
    return size_class == 0 ? buckets[0] : size_class == 1 ? buckets[1] : buckets[2];
  }
  SORTLAB_HOST_DEVICE int class_of(std::uint64_t count) const {
    return count <= ends[0] ? 0 : count <= ends[1] ? 1 : 2;
  }
  SORTLAB_HOST_DEVICE std::uint32_t tiles_in(std::uint64_t count) const {
    return static_cast<std::uint32_t>((count + tile_elements - 1) / tile_elements);
  }
  /// A segment without its place in the lists.
  SORTLAB_HOST_DEVICE Segment segment(std::uint64_t begin, std::uint64_t count, int left, int side) const {
    const std::uint32_t its_tiles = tiles_in(count);
    const std::uint32_t for_most = (its_tiles + kMostChunks - 1) / kMostChunks;
    const std::uint32_t of_chunk = for_most > chunk_tiles ? for_most : chunk_tiles;
    return {.begin = begin,
            .count = count,
            .differ = {0, 0},
            .first_tile = 0,
            .tiles = its_tiles,
            .first_chunk = 0,
            .chunks = (its_tiles + of_chunk - 1) / of_chunk,
            .chunk_tiles = of_chunk,
            .left = static_cast<std::uint16_t>(left),
            .bits = static_cast<std::uint8_t>(digit_bits(count, left, meant_elements)),
            .side = static_cast<std::uint8_t>(side),
            .kind = left == 0 ? Kind::copy : Kind::divide,
            .ascends = false};
  }
  /// All keys by the digit from `shift` on, of `most` bits at most.
  SORTLAB_HOST_DEVICE Segment ascending(int shift, int most, int side) const {
    Segment all = segment(0, n, shift + (most < kDigitBits ? most : kDigitBits), side);
    all.bits = static_cast<std::uint8_t>(all.left - shift);
    all.ascends = true;
    return all;
  }
};

}  // namespace sortlab::msd_gpu::stable
