// What the kernels are compiled for, and the memory that they need.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"

namespace sortlab::msd_gpu {

inline constexpr int kDigitBits = 8;
inline constexpr std::uint32_t kDigits = 1U << kDigitBits;
inline constexpr int kMostFirstBits = kDigitBits + 1;         ///< of the first level's digit
inline constexpr int kTopBits = kMostFirstBits + kDigitBits;  ///< most bits that one pass over all keys counts
inline constexpr int kTopThreads = 1024;  ///< threads of a block that counts them; one block per multiprocessor
inline constexpr int kThreads = 512;      ///< of a block that partitions, lists or sorts a large bucket
inline constexpr int kBlocks = 2;         ///< such blocks per multiprocessor
inline constexpr int kMostThreads = kBlocks * kThreads;
inline constexpr int kTopLevels = 2;      ///< levels of the tree that the top bits make
inline constexpr int kWideBits = 10;      ///< that one partition takes at most, where it makes both of those levels
inline constexpr int kSampledLevels = 3;  ///< levels after those, or first levels, whose segments may have splitters
inline constexpr std::uint32_t kMostTrees = 1024;  ///< most segments of a level that have splitters

/// Keys that a thread of a partition holds, by the bytes of an element.
constexpr int tile_items(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint32_t bytes = key_bytes + value_bytes;
  return bytes == 4 ? 36 : static_cast<int>(160 / bytes);
}
constexpr std::uint32_t tile_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return static_cast<std::uint32_t>(kThreads * tile_items(key_bytes, value_bytes));
}

/// Elements of the tiles that so many blocks move. Where they take few each, as many as make the same number for all; a
/// full tile is moved faster.
constexpr std::uint32_t tile_size(std::uint64_t n, std::uint64_t blocks, std::uint32_t key_bytes,
                                  std::uint32_t value_bytes) {
  constexpr std::uint64_t kFewTiles = 3;
  const std::uint64_t most = tile_elements(key_bytes, value_bytes);
  const std::uint64_t of_block = (n + blocks * most - 1) / (blocks * most);
  const std::uint64_t share = of_block > kFewTiles ? most : n / (blocks * of_block) + 1;
  return static_cast<std::uint32_t>((share + kThreads - 1) / kThreads * kThreads);
}

/// Buckets are sorted in shared memory by size classes: threads of a block, and keys of a thread. One class more is of
/// those that are counted: keys of 32 bits alone, few bits of which are left.
inline constexpr int kClasses = 3;
inline constexpr int kCounted = kClasses;
inline constexpr int kLists = kClasses + 1;
inline constexpr int kCountedBits = 16;  ///< left, at most
inline constexpr int kCountedFrom = 13;  ///< left, at least: fewer are bins of a common bucket
/// A block counts a bucket with at most kCountedBits left if its counters can hold it; a longer one is counted by all
/// blocks in a table of all values, for which, and three places more, its other array must have room.
inline constexpr std::uint32_t kCountingElements = (1U << kCountedBits) - 1;
inline constexpr std::uint32_t kTableElements = (1U << kCountedBits) + 3;
inline constexpr std::uint32_t kChunk = 47 * 1024;  ///< keys of a table that a block counts, or writes, at once
struct Shape {
  int threads;
  int items;
  constexpr std::uint32_t elements() const { return static_cast<std::uint32_t>(threads * items); }
};
constexpr Shape class_shape(int size_class, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const int words = static_cast<int>((key_bytes + value_bytes) / 4);
  if (size_class == 0) return {kThreads / 2, 16 / words};
  if (size_class == 1) return {kThreads, 18 / words};
  return {kMostThreads, 20 / words};
}
/// What a block can sort in shared memory.
constexpr std::uint32_t bucket_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return class_shape(kClasses - 1, key_bytes, value_bytes).elements();
}
/// Neighbouring sub-buckets are sorted as one as long as they begin within so many elements; none of them has more.
constexpr std::uint32_t merged_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return class_shape(1, key_bytes, value_bytes).elements() / 2;
}

/// The most of anything in a list, whatever the keys.
struct Bounds {
  std::uint64_t segments;  ///< of a level: buckets that no block can sort
  std::uint64_t tiles;     ///< of those
  std::uint64_t buckets;   ///< of a size class, of all levels
  std::uint64_t tables;
};
constexpr Bounds bounds_of(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t large = n / bucket_elements(key_bytes, value_bytes) + 1;
  const std::uint64_t levels = key_bytes * 8 / kDigitBits;
  constexpr std::uint64_t kSpare = std::uint64_t{4} * kDigits;
  // A group of small sub-buckets has half of a merged bucket's elements, or is beside a sub-bucket that stands alone.
  return {.segments = std::max<std::uint64_t>(large, kDigits),
          .tiles = n / tile_elements(key_bytes, value_bytes) + large + kSpare,
          .buckets = 3 * (n / merged_elements(key_bytes, value_bytes)) + 2 * levels * large + kSpare,
          .tables = n / kTableElements};
}

/// How the first two levels are made, from the counts of their bits.
struct Top {
  int first_bits;   ///< of the first level's digit
  int second_bits;  ///< of the second's
  bool wide;        ///< one partition divides by both digits at once; otherwise each has its own

  constexpr SORTLAB_HOST_DEVICE int bits() const { return first_bits + second_bits; }
};
/// Few enough keys for one partition of up to kWideBits: as few bits as make buckets of uniform keys that a block of
/// kThreads can sort. Otherwise two partitions, the second of as few bits, but 3 at least, as make buckets of half of
/// what any block can sort. Where 8 do not, the first has 9, if that makes buckets.
constexpr Top top_of(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t bucket = bucket_elements(key_bytes, value_bytes), most = bucket / 20 * 17;
  const std::uint64_t common = class_shape(1, key_bytes, value_bytes).elements();
  int bits = kWideBits - kDigitBits;
  if (n >> kWideBits <= most) {
    while (bits > 1 && n >> (kDigitBits + bits - 1) <= common / 10 * 9) --bits;
    return {kDigitBits, bits, true};
  }
  if (key_bytes == 4 && value_bytes == 0)
    return {kDigitBits, kDigitBits, false};  // the remaining bits are then few enough to be counted
  while (bits < kDigitBits && n >> (kDigitBits + bits) > bucket / 5 * 2) ++bits;
  const bool wants_more = n >> (kDigitBits + bits) > bucket / 20 * 19 && n >> kTopBits <= most;
  return {wants_more ? kMostFirstBits : kDigitBits, bits, false};
}
/// Whether keys with at most kCountedBits left are counted: keys of 32 bits alone, where launches do not matter.
constexpr bool counts_buckets(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return key_bytes == 4 && value_bytes == 0 &&
         n / kDigits > std::uint64_t{bucket_elements(key_bytes, value_bytes)} / 10 * 9;
}
/// At most so many elements are sorted by a single block.
inline constexpr std::uint32_t kFewKeysOfSort = 8192;
constexpr std::uint32_t few_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return std::min(kFewKeysOfSort, bucket_elements(key_bytes, value_bytes));
}
/// The class of that block: the fewest threads that have at most 8 keys each, or else the largest that there is.
constexpr int few_class(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const auto holds = [&](int c) {
    const Shape shape = class_shape(c, key_bytes, value_bytes);
    return n <= 8 * static_cast<std::uint64_t>(shape.threads) && n <= shape.elements();
  };
  int c = 0;
  while (c + 1 < kClasses && !holds(c)) ++c;
  return c;
}

/// Shared memory of a block that sorts a bucket of at most shape.elements() (bucket.cuh, sampled.cuh).
constexpr std::uint32_t bucket_stage_bytes(Shape shape, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint32_t elements = shape.elements(), bins = std::bit_floor(elements), sample = bins / 16;
  const std::uint32_t stage = (elements * (key_bytes + value_bytes) + 15) / 16 * 16;
  const std::uint32_t tail = std::max(2 * sample * key_bytes, elements * (key_bytes > 4 ? 8 : 4));
  return stage + std::max(bins * 4, (2 * sample + 2) * key_bytes + tail + (9 * sample + 1) * 4);
}

// The sort of one level in one kernel (one_level.cuh).
inline constexpr std::uint32_t kOneMostSample = 4 * kMostThreads;  ///< keys
inline constexpr std::uint32_t kOneClasses = 2 * kMostThreads;     ///< at most
inline constexpr std::uint32_t kOneBlockKeys = 1024;               ///< of a block at least
inline constexpr std::uint32_t kSharedBytes = 227 * 1024;          ///< of a block, at most
inline constexpr int kOneMostItems = 20;                           ///< keys of a thread
inline constexpr std::uint32_t kOneSharedBytes = 18864;            ///< of shared memory what is not dynamic
/// Dynamic shared memory of its blocks, whose threads have `items` keys each.
constexpr std::uint32_t one_stage_bytes(int items, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const Shape shape{kMostThreads, items};
  const std::uint32_t stage = (shape.elements() * (key_bytes + value_bytes) + 15) / 16 * 16;
  return std::max({bucket_stage_bytes(shape, key_bytes, value_bytes), stage + kOneClasses * (4 + key_bytes),
                   2 * kOneMostSample * key_bytes + 16});
}
/// Keys of a thread at most: a multiprocessor's shared memory holds no more.
constexpr int one_level_items(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  int items = 1;
  while (items < kOneMostItems && one_stage_bytes(items + 1, key_bytes, value_bytes) + kOneSharedBytes <= kSharedBytes)
    ++items;
  return items;
}
/// Where keys are uneven, more would not be cut finely enough by the sample.
constexpr std::uint32_t one_level_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return static_cast<std::uint32_t>(kMostThreads * one_level_items(key_bytes, value_bytes)) / 7 * 1024;
}
/// What the compiled kernels have of them, the fewest first.
constexpr std::array<int, 3> one_level_choices(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const int most = one_level_items(key_bytes, value_bytes);
  return {2, std::max(most * 2 / 5, 2), most};
}
/// The fewest with which `blocks` have room for twice as many keys as there are, or the most.
constexpr int one_level_items_for(std::uint64_t n, std::uint64_t blocks, std::uint32_t key_bytes,
                                  std::uint32_t value_bytes) {
  const auto choices = one_level_choices(key_bytes, value_bytes);
  for (const int items : choices) {
    if (n <= blocks * kMostThreads * static_cast<std::uint64_t>(items) / 2) return items;
  }
  return choices.back();
}
/// Parts of the result that a block sorts at once, of at most `capacity` elements.
constexpr std::uint32_t one_level_windows(std::uint32_t n, std::uint32_t blocks, std::uint32_t capacity) {
  std::uint32_t windows = blocks;
  while (n / windows > capacity / 10 * 6) windows += blocks;
  return windows;
}
constexpr int one_level_class_bits(std::uint32_t windows) {
  int bits = 6;
  while ((1U << bits) < 3 * windows && (1U << bits) < kOneClasses) ++bits;
  return bits;
}
/// Keys of the sample: more where windows leave little room for a class that is larger than others.
constexpr std::uint32_t one_level_sample(int items, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const bool has_little_room = items == one_level_items(key_bytes, value_bytes) && (value_bytes > 0 || key_bytes > 8);
  return has_little_room ? kOneMostSample : kOneMostSample / 2;
}
/// Of the sample in one class, at most, where keys lie evenly.
inline std::uint32_t one_level_even_keys(std::uint32_t n, std::uint32_t windows, int class_bits, std::uint32_t capacity,
                                         std::uint32_t sample) {
  const std::uint32_t window = n / windows + 1;
  const std::uint64_t spare = std::min(capacity - window, 2 * window);
  // Hardly ever does a class of `share` keys of the sample on average have more than so many by chance.
  const double share = static_cast<double>(sample >> class_bits);
  const auto by_chance = static_cast<std::uint32_t>(share + 5 * std::sqrt(share) + 4);
  const std::uint32_t most = sample / 4 * 3;
  return std::max(by_chance, static_cast<std::uint32_t>(spare * most / n));
}

// Where keys lie unevenly.
inline constexpr std::uint32_t kFewDrawn =
    2;  ///< keys of a thread in a sample of a segment, where classes may be large
constexpr std::uint32_t drawn(std::uint32_t key_bytes) {  ///< or for classes of more even sizes
  return key_bytes > 8 ? 4 : 8;
}
/// Elements of a segment of which few are drawn, at most.
constexpr std::uint64_t few_drawn_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return kDigits / 4 * std::uint64_t{bucket_elements(key_bytes, value_bytes)};
}
/// Keys that a digit of `bits` bits has at most of a sample of `size` where digits are even: many times an equal share.
constexpr std::uint32_t uneven_keys(std::uint32_t size, int bits, bool spares_levels) {
  return (spares_levels ? 8 : 40) * (size >> bits);
}
inline constexpr std::uint32_t kHotLanes = 6;  ///< of a warp, with one digit: from then on they add at once
inline constexpr std::uint32_t kRows = 4;      ///< samples of 32 keys each that decide whether a bucket is even
inline constexpr std::uint32_t kClumpedKeys =
    5;  ///< of a sample in 1/32 of the range, from which on the bucket counts as uneven
inline constexpr std::uint32_t kFewKeys = 12;      ///< of a bucket with one bin, where it is even
inline constexpr std::uint32_t kFewOfThread = 48;  ///< with the bins of a thread

/// From so many on, a search between splitters costs more than a level that it may spare.
inline constexpr std::uint64_t kManyKeys = std::uint64_t{1} << 25;
/// Levels each of whose steps is a kernel: as many as may be needed where launches are little beside them.
constexpr int stepped_levels(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t mebibytes = n * (key_bytes + value_bytes) >> 20;
  return mebibytes < 64 ? 0 : mebibytes < 128 ? 1 : mebibytes < 256 ? 2 : kSampledLevels;
}

}  // namespace sortlab::msd_gpu
