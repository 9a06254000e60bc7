// Lists of segments, tiles and buckets, through which the kernels pass the tree of buckets from level to level in
// global memory.
#pragma once

#include <array>
#include <cstdint>

#include "algorithms/msd_radix_gpu/plan.hpp"

namespace sortlab::msd_gpu {

enum class Kind : std::uint8_t {
  divide,  ///< partitioned by the level's digit
  fill,    ///< written from its counts: no bits and no values remain
  copy,    ///< sorted, but in the other buffer: copied
  done,    ///< nothing to move
};

/// A bucket too large for one block: contiguous keys that differ only in their `bits_left` lowest bits.
struct Segment {
  unsigned long long begin;
  unsigned long long count;
  unsigned long long* row;  ///< per digit: count, then begin, then the next free position
  std::uint16_t bits_left;
  std::uint8_t bits;    ///< width of the level's digit
  std::uint8_t buffer;  ///< buffer that holds it: 0 is the input's, which receives the result
  Kind kind;
  bool by_splitters;  ///< divided by splitters instead of a digit

  SORTLAB_HOST_DEVICE int shift() const { return bits_left - bits; }
  SORTLAB_HOST_DEVICE std::uint32_t digits() const { return by_splitters ? kDigits : 1U << bits; }
};

/// Part of a segment that one block moves at a time.
struct Tile {
  unsigned long long begin;
  std::uint32_t count;
  std::uint32_t segment;
};

/// Contiguous keys that one block sorts in shared memory.
struct Bucket {
  unsigned long long begin;
  std::uint32_t count;
  std::uint8_t bits_left;
  std::uint8_t buffer;
  std::uint16_t merged;  ///< 1 if it combines several digits; its keys then need not start at a digit boundary
};

/// Contiguous keys, too many for one block to count, that differ in at most kCountedBits bits. All blocks count chunks
/// of them.
struct Table {
  unsigned long long begin;
  unsigned long long count;   ///< less than 2^32
  std::uint32_t first_chunk;  ///< index among the chunks of all tables
  std::uint32_t above;        ///< bits above bits_left, in sort order, in which the keys agree
  std::uint8_t bits_left;
  std::uint8_t buffer;

  SORTLAB_HOST_DEVICE std::uint32_t chunks() const { return static_cast<std::uint32_t>((count + kChunk - 1) / kChunk); }
};

inline constexpr int kMaxLevels = 24;

/// State of a sort; all zero before it.
struct alignas(16) State {
  std::uint32_t segments[kMaxLevels];
  std::uint32_t tiles[kMaxLevels];
  std::uint32_t taken[kMaxLevels];  ///< tiles taken so far by blocks that move them
  std::uint32_t buckets[kLists];
  std::uint32_t overflows;
  std::uint32_t uneven;
  unsigned long long tables;     ///< number of tables; from bit 32 on, number of their chunks
  unsigned long long differ[2];  ///< bits in which any key differs from the first
  unsigned long long prefix[2];  ///< bits above range_bits of the keys in the range of the top digits, in sort order
  unsigned long long tops[1U << kMaxFirstBits];
  unsigned long long first_row[1U << kMaxFirstBits];
  Segment first;                         ///< all keys
  std::uint32_t given[1U << kWideBits];  ///< per digit of both top levels: positions already reserved
  std::uint32_t range_bits;              ///< width of the range whose highest bits are the top digits
  std::uint32_t skips_top;  ///< true if all keys form one segment with splitters at the level after the top levels
};

struct Lists {
  State* state;
  uint4* next_state;          ///< state of the next sort, which this one clears
  std::uint32_t state_words;  ///< size of a state and the top-bit counts behind it, in units of 16 bytes
  Segment* segments[2];       ///< indexed by the level's parity
  Tile* tiles[2];
  Bucket* buckets[kLists];
  Bucket* uneven;            ///< buckets with skewed keys
  std::uint32_t* overflows;  ///< indices of buckets of the class kCounted that need wider counters
  Table* tables;
  unsigned long long* top;     ///< counts of the top bits, in pairs or as rows of the second level; zero before a sort
  unsigned long long* rows;    ///< rows of the later levels
  unsigned long long* differ;  ///< two words per segment
  void* trees_begin;           ///< splitter trees of the first `trees` segments of a level
  std::uint8_t* bits_left_by_class;  ///< per class between splitters: number of bits in which its keys may differ
  std::uint32_t trees;
  std::uint64_t n;
  std::uint32_t tile_elements;
  bool spares_levels;  ///< true for small inputs, where a level costs more than the search between splitters
  std::uint32_t merged_elements;
  Top top_levels;
  bool samples_range;  ///< true if the top digits come from the bits in which a sample differs, not from all bits
  std::uint32_t ends[kClasses];  ///< maximum number of elements per size class
  bool has_values;
  bool counts_buckets;  ///< true if kernels process tables and buckets of the class kCounted

  /// True if a word of the top-bit counts packs two 32-bit counters: a digit of the lower half and, from bit 32 on, the
  /// digit as far into the upper half. That halves the number of atomic additions.
  SORTLAB_HOST_DEVICE bool counts_in_pairs() const { return n >> 32 == 0; }
  // A run-time subscript would make the compiler keep the lists in local memory.
  SORTLAB_HOST_DEVICE Segment* level_segments(int level) const { return level % 2 == 0 ? segments[0] : segments[1]; }
  SORTLAB_HOST_DEVICE Tile* level_tiles(int level) const { return level % 2 == 0 ? tiles[0] : tiles[1]; }
  SORTLAB_HOST_DEVICE Bucket* class_buckets(int size_class) const {
    if (size_class < 2) return size_class == 0 ? buckets[0] : buckets[1];
    return size_class == 2 ? buckets[2] : buckets[3];
  }
  template <class Word>
  SORTLAB_HOST_DEVICE Word* splitter_tree(std::uint32_t segment) const {
    return static_cast<Word*>(trees_begin) + std::uint64_t{segment} * kDigits;
  }
  SORTLAB_HOST_DEVICE std::uint8_t* class_bits_left(std::uint32_t segment) const {
    return bits_left_by_class + std::uint64_t{segment} * kDigits;
  }
  SORTLAB_HOST_DEVICE int size_class_for(std::uint64_t count) const {
    return count <= ends[0] ? 0 : count <= ends[1] ? 1 : 2;
  }
};
static_assert(kLists == 4);

}  // namespace sortlab::msd_gpu
