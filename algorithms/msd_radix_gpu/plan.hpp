// What the kernels are compiled for, and the memory that they need.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/host_device.hpp"

namespace sortlab::msd_gpu {

inline constexpr int kDigitBits = 8;
inline constexpr std::uint32_t kDigits = 1U << kDigitBits;
inline constexpr int kMostFirstBits = kDigitBits + 1;         ///< of the first level's digit
inline constexpr int kTopBits = kMostFirstBits + kDigitBits;  ///< that one reading of all keys counts at most
inline constexpr int kTopThreads = 1024;                      ///< of a block that counts those: one a multiprocessor
inline constexpr int kThreads = 512;  ///< of a block that partitions, lists or sorts a large bucket
inline constexpr int kBlocks = 2;     ///< of them on a multiprocessor
inline constexpr int kMostThreads = kBlocks * kThreads;
inline constexpr int kTopLevels = 2;      ///< levels of the tree that the top bits make
inline constexpr int kWideBits = 10;      ///< that one partition takes at most, where it makes both of those levels
inline constexpr int kSampledLevels = 3;  ///< levels after those, or first levels, whose segments may have splitters
inline constexpr std::uint32_t kMostTrees = 1024;  ///< of a level: segments with splitters

/// Keys that a thread of a partition holds, by the bytes of an element.
constexpr int tile_items(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint32_t bytes = key_bytes + value_bytes;
  return bytes == 4 ? 36 : static_cast<int>(160 / bytes);
}
constexpr std::uint32_t tile_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return static_cast<std::uint32_t>(kThreads * tile_items(key_bytes, value_bytes));
}

/// Buckets are sorted in shared memory by size classes: threads of a block, and keys of a thread. One class more is of
/// those that are counted: keys of 32 bits alone, few bits of which are left.
inline constexpr int kClasses = 3;
inline constexpr int kCounted = kClasses;
inline constexpr int kLists = kClasses + 1;
inline constexpr int kCountedBits = 16;  ///< left, at most
inline constexpr int kCountedFrom = 13;  ///< left, at least: fewer are bins of a common bucket
/// Of so many keys with no more bits left a block counts what is not more than its counters hold; blocks together sort
/// what is at least as much as a table of all values and three places before it.
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
  // A group of small sub-buckets has half of a merged bucket's elements, or is beside a sub-bucket that stands alone.
  return {.segments = std::max<std::uint64_t>(large, kDigits),
          .tiles = n / tile_elements(key_bytes, value_bytes) + large + 4 * kDigits,
          .buckets = 3 * (n / merged_elements(key_bytes, value_bytes)) + 2 * levels * large + 4 * kDigits,
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
  if (key_bytes == 4 && value_bytes == 0) return {kDigitBits, kDigitBits, false};  // what is left can be counted
  while (bits < kDigitBits && n >> (kDigitBits + bits) > bucket / 5 * 2) ++bits;
  const bool wants_more = n >> (kDigitBits + bits) > bucket / 20 * 19 && n >> kTopBits <= most;
  return {wants_more ? kMostFirstBits : kDigitBits, bits, false};
}
/// Whether keys with at most kCountedBits left are counted: keys of 32 bits alone, where launches do not matter.
constexpr bool counts_buckets(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return key_bytes == 4 && value_bytes == 0 && n / kDigits > bucket_elements(key_bytes, value_bytes) / 10 * 9;
}
/// One block sorts so many, if it can.
inline constexpr std::uint32_t kFewKeysOfSort = 8192;
/// From so many on, a search between splitters costs more than a level that it may spare.
inline constexpr std::uint64_t kManyKeys = std::uint64_t{1} << 25;
/// Levels each of whose steps is a kernel: as many as may be needed where launches are little beside them.
constexpr int stepped_levels(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t mebibytes = n * (key_bytes + value_bytes) >> 20;
  return mebibytes < 64 ? 0 : mebibytes < 128 ? 1 : mebibytes < 256 ? 2 : kSampledLevels;
}

}  // namespace sortlab::msd_gpu
