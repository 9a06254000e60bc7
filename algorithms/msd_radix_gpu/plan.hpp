// What the kernels are compiled for, and the memory that they need.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "algorithms/msd_radix_gpu/shared_memory.hpp"
#include "core/choice.hpp"
#include "core/host_device.hpp"

namespace sortlab::msd_gpu {

inline constexpr int kDigitBits = 8;
inline constexpr std::uint32_t kDigits = 1U << kDigitBits;
/// What a block that counts the top bits has for its counters: four or two a word, or one of 32 bits.
inline constexpr std::uint32_t kTopWords = 1U << (kSharedBytes > 132 * 1024 ? 15 : kSharedBytes > 68 * 1024 ? 14 : 13);
inline constexpr int kTopBits = std::bit_width(kTopWords) + 1;  ///< most bits that one pass over all keys counts
inline constexpr int kMostFirstBits = std::clamp(kTopBits - kDigitBits, kDigitBits, kDigitBits + 1);
inline constexpr int kMostSecondBits = std::min(kTopBits - kDigitBits, kDigitBits);
inline constexpr int kTopThreads = 1024;  ///< threads of a block that counts them; one block per multiprocessor
inline constexpr int kThreads = 512;      ///< of a block that partitions, lists or sorts a large bucket
inline constexpr int kBlocks = 2;         ///< such blocks per multiprocessor
inline constexpr int kMostThreads = kBlocks * kThreads;
inline constexpr int kTopLevels = 2;  ///< levels of the tree that the top bits make
/// That one partition takes at most, where it makes both of those levels.
inline constexpr int kWideBits = kSharedBytes > 132 * 1024 ? 10 : 9;
inline constexpr int kSampledLevels = 3;  ///< levels after those, or first levels, whose segments may have splitters
inline constexpr std::uint32_t kMostTrees = 1024;  ///< most segments of a level that have splitters

/// Shared memory of a block that partitions a tile by so many digits (move.cuh).
constexpr std::uint32_t tile_stage_bytes(int items, std::uint32_t digits, std::uint32_t key_bytes,
                                         std::uint32_t value_bytes) {
  const auto elements = static_cast<std::uint32_t>(kThreads * items);
  const std::uint32_t tree = digits == kDigits ? kDigits * key_bytes + elements : 0;
  return elements * (key_bytes + value_bytes) + digits * 12 + kThreads / 8 + tree;
}
/// Keys that a thread of a partition holds, by the bytes of an element: of tiles of which a multiprocessor holds
/// kBlocks.
constexpr int tile_items(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  constexpr std::uint32_t kWideDigits = 1U << kWideBits;
  const std::uint32_t bytes = key_bytes + value_bytes, room = shared_of_blocks(kBlocks);
  int items = bytes == 4 ? 36 : static_cast<int>(160 / bytes);
  while (items > 1 && std::max(tile_stage_bytes(items, kDigits, key_bytes, value_bytes),
                               tile_stage_bytes(items, kWideDigits, key_bytes, value_bytes) + kWideDigits * 4) > room) {
    --items;
  }
  return items;
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
/// Places of the result, two bytes each, that a block writes at once from its counters, two bytes a value: a multiple
/// of what all threads write. Where shared memory has no room for both, no keys are counted.
inline constexpr std::uint32_t kCountingPlaces = shared_of_blocks(1) / 2, kWindowStep = 4096;
inline constexpr bool kMayCount = kCountingPlaces >= (1U << kCountedBits) + kWindowStep;
inline constexpr std::uint32_t kCountingWindow =
    kMayCount ? (kCountingPlaces - (1U << kCountedBits)) / kWindowStep * kWindowStep : kWindowStep;
/// A block counts a bucket with at most kCountedBits left if its counters can hold it; a longer one is counted by all
/// blocks in a table of all values, for which, and three places more, its other array must have room.
inline constexpr std::uint32_t kCountingElements = (1U << kCountedBits) - 1;
inline constexpr std::uint32_t kTableElements = (1U << kCountedBits) + 3;
/// Keys of a table that a block counts, or writes, at once.
inline constexpr std::uint32_t kChunk = kCountingWindow - 1024;
struct Shape {
  int threads;
  int items;
  constexpr std::uint32_t elements() const { return static_cast<std::uint32_t>(threads * items); }
};
/// Shared memory of a block that sorts a bucket of at most shape.elements() (bucket.cuh, sampled.cuh).
constexpr std::uint32_t bucket_stage_bytes(Shape shape, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint32_t elements = shape.elements(), bins = std::bit_floor(elements), sample = bins / 16;
  const std::uint32_t stage = (elements * (key_bytes + value_bytes) + 15) / 16 * 16;
  const std::uint32_t tail = std::max(2 * sample * key_bytes, elements * (key_bytes > 4 ? 8 : 4));
  return stage + std::max(bins * 4, (2 * sample + 2) * key_bytes + tail + (9 * sample + 1) * 4);
}
/// Of them a multiprocessor holds as many blocks as make kMostThreads, at least.
constexpr Shape class_shape(int size_class, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const int words = static_cast<int>((key_bytes + value_bytes) / 4);
  Shape shape{kMostThreads, 20 / words};
  if (size_class == 0) shape = {kThreads / 2, 16 / words};
  if (size_class == 1) shape = {kThreads, 18 / words};
  constexpr int kFewest = 512;  // elements: a warp of them is the sample
  const std::uint32_t room = shared_of_blocks(kMostThreads / shape.threads);
  while ((shape.items - 1) * shape.threads >= kFewest && bucket_stage_bytes(shape, key_bytes, value_bytes) > room) {
    --shape.items;
  }
  return shape;
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
constexpr Bounds bounds_of(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes, int first_bits) {
  const std::uint64_t large = n / bucket_elements(key_bytes, value_bytes) + 1;
  const std::uint64_t levels = key_bytes * 8 / kDigitBits;
  constexpr std::uint64_t kSpare = std::uint64_t{4} * kDigits;
  // A group of small sub-buckets has half of a merged bucket's elements, or is beside a sub-bucket that stands alone.
  return {.segments = std::max(large, std::uint64_t{1} << first_bits),
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
/// So few keys that one partition by kWideBits makes buckets of uniform ones.
constexpr std::uint64_t most_of_wide(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t most = bucket_elements(key_bytes, value_bytes) / 20 * std::uint64_t{17};
  return ((most + 1) << kWideBits) - 1;
}
/// As few bits as make buckets of uniform keys that a block of kThreads can sort.
constexpr Top wide_top(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t common = class_shape(1, key_bytes, value_bytes).elements();
  int bits = kWideBits - kDigitBits;
  while (bits > 1 && n >> (kDigitBits + bits - 1) <= common / 10 * 9) --bits;
  return {kDigitBits, bits, true};
}
/// As few bits of the second digit, but 3 at least, as make buckets of half of what any block can sort. Where 8 do not,
/// the first has 9, if that makes buckets.
constexpr Top partitions_top(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t bucket = bucket_elements(key_bytes, value_bytes), most = bucket / 20 * 17;
  if (kMayCount && key_bytes == 4 && value_bytes == 0)
    return {kDigitBits, kDigitBits, false};  // the remaining bits are then few enough to be counted
  int bits = 3;
  while (bits < kMostSecondBits && n >> (kDigitBits + bits) > bucket / 5 * 2) ++bits;
  const bool wants_more = n >> (kDigitBits + bits) > bucket / 20 * 19 && n >> kTopBits <= most;
  return {wants_more ? kMostFirstBits : kDigitBits, bits, false};
}
/// Whether keys with at most kCountedBits left are counted: keys of 32 bits alone, where launches do not matter.
constexpr bool counts_buckets(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return kMayCount && key_bytes == 4 && value_bytes == 0 &&
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

// The sort of one level in one kernel (one_level.cuh).
/// Keys; two buffers of the widest fit.
inline constexpr std::uint32_t kOneMostSample = (kSharedBytes < 80 * 1024    ? 1
                                                 : kSharedBytes < 148 * 1024 ? 2
                                                                             : 4) *
                                                kMostThreads;
inline constexpr std::uint32_t kOneClasses = std::max<std::uint32_t>(kOneMostSample / 2, kMostThreads);  ///< at most
inline constexpr std::uint32_t kOneBlockKeys = 1024;  ///< of a block at least
inline constexpr int kOneMostItems = 20;              ///< keys of a thread
/// Of shared memory what is not dynamic.
inline constexpr std::uint32_t kOneSharedBytes = 10168 + kOneClasses * 4 + kOneClasses / 8;
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
  return {std::min(2, most), std::clamp(most * 2 / 5, std::min(2, most), most), most};
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
  return has_little_room ? kOneMostSample : std::max<std::uint32_t>(kOneMostSample / 2, kMostThreads);
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
/// Keys of a thread in a sample of a segment, where classes may be large.
inline constexpr std::uint32_t kFewDrawn = 2;
/// Or for classes of more even sizes; two buffers of them fit.
constexpr std::uint32_t drawn(std::uint32_t key_bytes) {
  std::uint32_t keys = key_bytes > 8 ? 4 : 8;
  while (keys > kFewDrawn && 2 * keys * kThreads * key_bytes > shared_of_blocks(kBlocks)) keys /= 2;
  return keys;
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

/// Which of its ways the sort goes.
enum class Regime : std::uint8_t {
  one_block,   ///< all keys are one block's bucket
  one_level,   ///< one level, in one kernel
  wide,        ///< one partition by both top digits at once, then levels
  partitions,  ///< one by each, then levels
};
inline constexpr std::array kRegimes{
    Choice<Regime>{"one_block", Regime::one_block}, Choice<Regime>{"one_level", Regime::one_level},
    Choice<Regime>{"wide", Regime::wide}, Choice<Regime>{"partitions", Regime::partitions}};

constexpr std::string_view word_of(Regime regime) {
  return kRegimes[static_cast<std::size_t>(regime)].word;
}

/// Of so many elements one that sorts uniform keys fastest on an H100.
constexpr Regime usual_regime(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  if (n <= few_elements(key_bytes, value_bytes)) return Regime::one_block;
  if (n <= one_level_elements(key_bytes, value_bytes)) return Regime::one_level;
  return n <= most_of_wide(key_bytes, value_bytes) ? Regime::wide : Regime::partitions;
}
struct Elements {
  std::uint64_t least = 0, most = ~std::uint64_t{0};
};
/// How many elements each can be asked to sort: where it is not the usual one, as far as it may be faster for some
/// keys.
constexpr Elements elements_of(Regime regime, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t few = few_elements(key_bytes, value_bytes);
  // A window has three classes, and more room than keys.
  constexpr std::uint64_t kWindows = kOneClasses / 3;
  const auto window = static_cast<std::uint32_t>(kMostThreads * one_level_items(key_bytes, value_bytes) / 10 * 6);
  const std::uint64_t contested = one_level_elements(key_bytes, value_bytes) / 8;
  switch (regime) {
    case Regime::one_block: return {.least = 0, .most = bucket_elements(key_bytes, value_bytes)};
    case Regime::one_level: return {.least = few / 4, .most = kWindows * window};
    case Regime::wide: return {.least = contested, .most = 4 * most_of_wide(key_bytes, value_bytes)};
    case Regime::partitions: return {.least = contested};
  }
  return {};
}

/// How an input is sorted.
struct Plan {
  Regime regime = Regime::one_block;
  Top top{};                    ///< wide, partitions
  bool counts_buckets = false;  ///< wide, partitions
  bool samples_range = false;   ///< wide, partitions: the top digits are of the bits in which a sample differs
  int stepped_levels = 0;       ///< wide, partitions
};
/// Whether the top digits are of the bits in which a sample differs: not where two partitions leave so few keys that
/// are counted, since a level whose keys have one digit then costs less than smaller tables save.
constexpr bool samples_range(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes, Regime regime) {
  return regime == Regime::wide || n >= kManyKeys || !counts_buckets(n, key_bytes, value_bytes);
}
/// `top_bits`: of both digits together; 0: as few as make buckets of uniform keys.
constexpr Plan plan_of(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes, Regime regime,
                       int top_bits = 0) {
  Plan plan{.regime = regime};
  if (regime != Regime::wide && regime != Regime::partitions) return plan;
  const bool wide = regime == Regime::wide;
  plan.top = wide ? wide_top(n, key_bytes, value_bytes) : partitions_top(n, key_bytes, value_bytes);
  if (top_bits > 0) {
    const int first = top_bits > kDigitBits + kMostSecondBits ? kMostFirstBits : kDigitBits;
    plan.top = {first, top_bits - first, wide};
  }
  plan.counts_buckets = counts_buckets(n, key_bytes, value_bytes);
  plan.samples_range = samples_range(n, key_bytes, value_bytes, regime);
  plan.stepped_levels = plan.counts_buckets ? 0 : stepped_levels(n, key_bytes, value_bytes);
  return plan;
}
constexpr Plan plan_of(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return plan_of(n, key_bytes, value_bytes, usual_regime(n, key_bytes, value_bytes));
}

// The same in words, as parameters have it.

inline constexpr int kFewestTopBits = kDigitBits + 1;
inline constexpr int kMostTopBits = kMostFirstBits + kMostSecondBits;
constexpr int most_top_bits(Regime regime) {
  return regime == Regime::wide ? kWideBits : regime == Regime::partitions ? kMostTopBits : 0;
}

/// By a word of kRegimes, or auto: the usual one.
inline Regime regime_of(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes, std::string_view word) {
  return word == "auto" ? usual_regime(n, key_bytes, value_bytes) : chosen("regime", word, kRegimes);
}
inline Plan plan_of(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes, std::string_view word,
                    int top_bits) {
  return plan_of(n, key_bytes, value_bytes, regime_of(n, key_bytes, value_bytes, word), top_bits);
}

/// Why so many elements are not sorted so, or nothing.
inline std::optional<std::string> declines(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes,
                                           std::string_view word, int top_bits) {
  const Regime regime = regime_of(n, key_bytes, value_bytes, word);
  const Elements range = elements_of(regime, key_bytes, value_bytes);
  if (n < range.least || n > range.most) {
    std::string others;
    for (const auto& [other, of] : kRegimes) {
      const Elements elements = elements_of(of, key_bytes, value_bytes);
      if (n >= elements.least && n <= elements.most) others += std::string{other} + ", ";
    }
    const bool few = n < range.least;
    return "regime=" + std::string{word} + " sorts at " + (few ? "least " : "most ") +
           std::to_string(few ? range.least : range.most) + " elements of these types; allowed: " + others + "or auto";
  }
  const int most = most_top_bits(regime);
  if (top_bits == 0 || (top_bits >= kFewestTopBits && top_bits <= most)) return std::nullopt;
  const std::string allowed =
      most == 0 ? "0" : "0 or " + std::to_string(kFewestTopBits) + " to " + std::to_string(most);
  return "top_bits must be " + allowed + " with regime=" + std::string{word};
}

}  // namespace sortlab::msd_gpu
