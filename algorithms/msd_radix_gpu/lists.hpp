// The tree of buckets, level by level, as the kernels tell it each other through device memory.
#pragma once

#include <array>
#include <cstdint>

#include "algorithms/msd_radix_gpu/plan.hpp"

namespace sortlab::msd_gpu {

enum class Kind : std::uint8_t {
  divide,  ///< its tiles are partitioned by the level's digit
  fill,    ///< its counts are its sorted keys: no bits and no values remain
  copy,    ///< all its keys are in place, but in the other array
  done,    ///< nothing is to be moved
};

/// A bucket that no block can sort: keys in a row that agree but for their `left` lowest bits.
struct Segment {
  unsigned long long begin;
  unsigned long long count;
  unsigned long long* row;  ///< of its digits: counts, then where each begins, then where the next of it goes
  std::uint16_t left;
  std::uint8_t bits;  ///< of the level's digit
  std::uint8_t side;  ///< the array that holds it: 0 the input's, which will hold the result
  Kind kind;
  bool by_splitters;  ///< divided by the level's splitters, not by a digit

  SORTLAB_HOST_DEVICE int shift() const { return left - bits; }
  SORTLAB_HOST_DEVICE std::uint32_t digits() const { return by_splitters ? kDigits : 1U << bits; }
};

/// What one block moves at once.
struct Tile {
  unsigned long long begin;
  std::uint32_t count;
  std::uint32_t segment;
};

/// Keys in a row that one block sorts.
struct Bucket {
  unsigned long long begin;
  std::uint32_t count;
  std::uint8_t left;
  std::uint8_t side;
  std::uint16_t merged;  ///< whether it is of several digits, and need not begin where its range does
};

/// Keys in a row, more than a block can count, that agree but for at most kCountedBits: all blocks count chunks of
/// them.
struct Table {
  unsigned long long begin;
  unsigned long long count;   ///< less than 2^32
  std::uint32_t first_chunk;  ///< of all tables' chunks
  std::uint32_t above;        ///< what their bits in order agree in
  std::uint8_t left;
  std::uint8_t side;

  SORTLAB_HOST_DEVICE std::uint32_t chunks() const { return static_cast<std::uint32_t>((count + kChunk - 1) / kChunk); }
};

inline constexpr int kMostLevels = 24;

/// 0 before a sort.
struct alignas(16) State {
  std::uint32_t segments[kMostLevels];
  std::uint32_t tiles[kMostLevels];
  std::uint32_t taken[kMostLevels];  ///< of the tiles, by blocks that move them
  std::uint32_t buckets[kLists];
  std::uint32_t overflows;
  std::uint32_t uneven;
  unsigned long long tables;     ///< how many; from bit 32 on, their chunks
  unsigned long long differ[2];  ///< bits in which a key differs from the first: of the top count
  unsigned long long prefix[2];  ///< of the keys in the range of the top digits, in order: their bits above range_bits
  unsigned long long tops[1U << kMostFirstBits];
  unsigned long long first_row[1U << kMostFirstBits];
  Segment first;                         ///< all keys
  std::uint32_t given[1U << kWideBits];  ///< of the digits of both top levels: keys whose place is reserved
  std::uint32_t range_bits;              ///< of which the top digits are the highest
  std::uint32_t skips_top;               ///< all keys are a segment with splitters of the level after the top levels
};

struct Lists {
  State* state;
  uint4* next_state;          ///< of the next sort, which this one sets to 0
  std::uint32_t state_words;  ///< of 16 bytes, of a state and the counts of the top bits behind it
  Segment* segments[2];       ///< by a level's parity
  Tile* tiles[2];
  Bucket* buckets[kLists];
  Bucket* uneven;            ///< whose keys lie unevenly in their range
  std::uint32_t* overflows;  ///< numbers of the buckets of the class kCounted that need longer counters
  Table* tables;
  unsigned long long* top;     ///< counts of the top bits, in pairs or as the rows of the second level; 0 before a sort
  unsigned long long* rows;    ///< of later levels
  unsigned long long* differ;  ///< two words a segment
  void* trees_begin;           ///< a tree of splitters a segment of a level, as many as `trees`
  std::uint8_t* lefts;         ///< of the classes between them: bits in which their keys may differ
  std::uint32_t trees;
  std::uint64_t n;
  std::uint32_t tile_elements;
  bool spares_levels;  ///< few keys: a level costs more than a search between splitters
  std::uint32_t merged_elements;
  Top top_levels;
  bool samples_range;            ///< the top digits are of the bits in which a sample differs, not of all
  std::uint32_t ends[kClasses];  ///< elements of a size class at most
  bool has_values;
  bool counts_buckets;  ///< whether kernels take tables and buckets of the class kCounted

  /// Whether a word of the top counts first holds those of a digit of the lower half, and from bit 32 on, of the one as
  /// far in the upper half: half as many atomic additions.
  SORTLAB_HOST_DEVICE bool counts_in_pairs() const { return n >> 32 == 0; }
  // A run-time subscript would have the compiler keep the lists in memory of each thread.
  SORTLAB_HOST_DEVICE Segment* segments_of(int level) const { return level % 2 == 0 ? segments[0] : segments[1]; }
  SORTLAB_HOST_DEVICE Tile* tiles_of(int level) const { return level % 2 == 0 ? tiles[0] : tiles[1]; }
  SORTLAB_HOST_DEVICE Bucket* buckets_of(int size_class) const {
    if (size_class < 2) return size_class == 0 ? buckets[0] : buckets[1];
    return size_class == 2 ? buckets[2] : buckets[3];
  }
  template <class Word>
  SORTLAB_HOST_DEVICE Word* tree_of(std::uint32_t segment) const {
    return static_cast<Word*>(trees_begin) + std::uint64_t{segment} * kDigits;
  }
  SORTLAB_HOST_DEVICE std::uint8_t* lefts_of(std::uint32_t segment) const {
    return lefts + std::uint64_t{segment} * kDigits;
  }
  SORTLAB_HOST_DEVICE int class_of(std::uint64_t count) const {
    return count <= ends[0] ? 0 : count <= ends[1] ? 1 : 2;
  }
};
static_assert(kLists == 4);

}  // namespace sortlab::msd_gpu
