// Sizes for which the kernels are compiled, the memory they need, and the plan of a sort.
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
/// Words of shared memory for the top-bit histogram of a block: four or two counters per word, or one of 32 bits.
inline constexpr std::uint32_t kTopWords = 1U << (kSharedBytes > 132 * 1024 ? 15 : kSharedBytes > 68 * 1024 ? 14 : 13);
/// Maximum number of bits that one pass over all keys counts
inline constexpr int kTopBits = std::bit_width(kTopWords) + 1;
inline constexpr int kMaxFirstBits = std::clamp(kTopBits - kDigitBits, kDigitBits, kDigitBits + 1);
inline constexpr int kMaxSecondBits = std::min(kTopBits - kDigitBits, kDigitBits);
inline constexpr int kTopThreads = 1024;  ///< threads of a block that counts the top bits; one block per multiprocessor
inline constexpr int kThreads = 512;      ///< threads of a block that partitions, lists or sorts a large bucket
inline constexpr int kBlocks = 2;         ///< such blocks per multiprocessor
inline constexpr int kMaxThreads = kBlocks * kThreads;
inline constexpr int kTopLevels = 2;  ///< levels of the tree that the top bits make
/// Maximum digit width of a partition that covers both top levels.
inline constexpr int kWideBits = kSharedBytes > 132 * 1024 ? 10 : 9;
/// Levels, after the top levels or at the start, whose segments may have splitters
inline constexpr int kSampledLevels = 3;
inline constexpr std::uint32_t kMaxTrees = 1024;  ///< maximum number of segments per level that may have splitters

/// Shared memory, in bytes, of a block that partitions a tile by `digits` digits (move.cuh).
constexpr std::uint32_t tile_stage_bytes(int items, std::uint32_t digits, std::uint32_t key_bytes,
                                         std::uint32_t value_bytes) {
  const auto elements = static_cast<std::uint32_t>(kThreads * items);
  const std::uint32_t tree = digits == kDigits ? kDigits * key_bytes + elements : 0;
  return elements * (key_bytes + value_bytes) + digits * 12 + kThreads / 8 + tree;
}
/// Keys per thread of a partition, chosen so that kBlocks tiles fit a multiprocessor.
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

/// Elements per tile of a partition by `blocks` blocks. If each block takes only a few tiles, they are sized so that
/// all blocks take the same number; otherwise full tiles are used, which move faster.
constexpr std::uint32_t tile_size(std::uint64_t n, std::uint64_t blocks, std::uint32_t key_bytes,
                                  std::uint32_t value_bytes) {
  constexpr std::uint64_t kMaxUnevenTiles = 3;
  const std::uint64_t tile = tile_elements(key_bytes, value_bytes);
  const std::uint64_t tiles_per_block = (n + blocks * tile - 1) / (blocks * tile);
  const std::uint64_t share = tiles_per_block > kMaxUnevenTiles ? tile : n / (blocks * tiles_per_block) + 1;
  return static_cast<std::uint32_t>((share + kThreads - 1) / kThreads * kThreads);
}

/// Number of size classes of buckets, each with its own block size and keys per thread. One further class, kCounted,
/// holds buckets to be counted: 32-bit keys without values that have few bits left.
inline constexpr int kClasses = 3;
inline constexpr int kCounted = kClasses;
inline constexpr int kLists = kClasses + 1;
inline constexpr int kCountedBits = 16;  ///< maximum number of bits left of a counted bucket
/// Minimum number of bits left; with fewer, bins hold one value each and a common bucket sorts as well
inline constexpr int kCountedFrom = 13;
/// Two-byte entries in shared memory, shared by the counters (one per value) and the window of the result that a block
/// writes at a time. The window is a multiple of kWindowStep, which is what all threads write at once. If both do not
/// fit, no keys are counted.
inline constexpr std::uint32_t kCountingPlaces = shared_of_blocks(1) / 2, kWindowStep = 4096;
inline constexpr bool kMayCount = kCountingPlaces >= (1U << kCountedBits) + kWindowStep;
inline constexpr std::uint32_t kCountingWindow =
    kMayCount ? (kCountingPlaces - (1U << kCountedBits)) / kWindowStep * kWindowStep : kWindowStep;
/// Maximum size of a bucket that one block counts, limited by its 16-bit counters. A longer one is counted by all
/// blocks in a table of all values, which must fit, with three entries of alignment, into the bucket's part of the
/// other buffer.
inline constexpr std::uint32_t kCountingElements = (1U << kCountedBits) - 1;
inline constexpr std::uint32_t kTableElements = (1U << kCountedBits) + 3;
/// Keys of a table that a block counts, or writes, at a time.
inline constexpr std::uint32_t kChunk = kCountingWindow - 1024;
struct Shape {
  int threads;
  int items;
  constexpr std::uint32_t elements() const { return static_cast<std::uint32_t>(threads * items); }
};
/// Shared memory, in bytes, of a block that sorts a bucket of at most shape.elements() elements (bucket.cuh,
/// sampled.cuh).
constexpr std::uint32_t bucket_stage_bytes(Shape shape, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint32_t elements = shape.elements(), bins = std::bit_floor(elements), sample = bins / 16;
  const std::uint32_t stage = (elements * (key_bytes + value_bytes) + 15) / 16 * 16;
  const std::uint32_t tail = std::max(2 * sample * key_bytes, elements * (key_bytes > 4 ? 8 : 4));
  return stage + std::max(bins * 4, (2 * sample + 2) * key_bytes + tail + (9 * sample + 1) * 4);
}
/// Block shape of a size class, chosen so that a multiprocessor holds at least kMaxThreads threads of such blocks.
constexpr Shape class_shape(int size_class, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const int words = static_cast<int>((key_bytes + value_bytes) / 4);
  Shape shape{kMaxThreads, 20 / words};
  if (size_class == 0) shape = {kThreads / 2, 16 / words};
  if (size_class == 1) shape = {kThreads, 18 / words};
  constexpr int kMinElements = 512;  // minimum number of elements: the sample takes one element for each lane of a warp
  const std::uint32_t room = shared_of_blocks(kMaxThreads / shape.threads);
  while ((shape.items - 1) * shape.threads >= kMinElements &&
         bucket_stage_bytes(shape, key_bytes, value_bytes) > room) {
    --shape.items;
  }
  return shape;
}
/// Maximum number of elements that one block sorts in shared memory.
constexpr std::uint32_t bucket_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return class_shape(kClasses - 1, key_bytes, value_bytes).elements();
}
/// Maximum size of a sub-bucket that is merged with its neighbours, and the length within which merged sub-buckets
/// begin.
constexpr std::uint32_t merged_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return class_shape(1, key_bytes, value_bytes).elements() / 2;
}

/// Upper bounds of the lists' lengths for any input.
struct Bounds {
  std::uint64_t segments;  ///< segments per level
  std::uint64_t tiles;     ///< tiles per level
  std::uint64_t buckets;   ///< buckets per size class, over all levels
  std::uint64_t tables;
};
constexpr Bounds list_bounds(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes, int first_bits) {
  const std::uint64_t large = n / bucket_elements(key_bytes, value_bytes) + 1;
  const std::uint64_t levels = key_bytes * 8 / kDigitBits;
  constexpr std::uint64_t kSpare = std::uint64_t{4} * kDigits;
  // A group of small sub-buckets has half of a merged bucket's elements, or borders on a sub-bucket that stands alone.
  return {.segments = std::max(large, std::uint64_t{1} << first_bits),
          .tiles = n / tile_elements(key_bytes, value_bytes) + large + kSpare,
          .buckets = 3 * (n / merged_elements(key_bytes, value_bytes)) + 2 * levels * large + kSpare,
          .tables = n / kTableElements};
}

/// Digits of the first two levels, which share one histogram.
struct Top {
  int first_bits;   ///< width of the first level's digit
  int second_bits;  ///< width of the second level's digit
  bool wide;        ///< true if one partition divides by both digits at once

  constexpr SORTLAB_HOST_DEVICE int bits() const { return first_bits + second_bits; }
};
/// Maximum n for which one partition by kWideBits bits makes buckets of uniform keys.
constexpr std::uint64_t max_wide_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t filled = bucket_elements(key_bytes, value_bytes) / 20 * std::uint64_t{17};
  return ((filled + 1) << kWideBits) - 1;
}
/// Top digits of a wide partition: the fewest bits for which a block of kThreads threads can sort the buckets of
/// uniform keys.
constexpr Top wide_top(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t common = class_shape(1, key_bytes, value_bytes).elements();
  int bits = kWideBits - kDigitBits;
  while (bits > 1 && n >> (kDigitBits + bits - 1) <= common / 10 * 9) --bits;
  return {kDigitBits, bits, true};
}
/// Top digits of two partitions: the fewest bits of the second digit, at least 3, for which buckets of uniform keys
/// fill at most 40 % of the largest block. If 8 bits are too few, the first digit has 9, provided that suffices.
constexpr Top partitions_top(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t bucket = bucket_elements(key_bytes, value_bytes), filled = bucket / 20 * 17;
  if (kMayCount && key_bytes == 4 && value_bytes == 0)
    return {kDigitBits, kDigitBits, false};  // the remaining bits are then few enough to be counted
  int bits = 3;
  while (bits < kMaxSecondBits && n >> (kDigitBits + bits) > bucket / 5 * 2) ++bits;
  const bool wants_more = n >> (kDigitBits + bits) > bucket / 20 * 19 && n >> kTopBits <= filled;
  return {wants_more ? kMaxFirstBits : kDigitBits, bits, false};
}
/// True if buckets with at most kCountedBits bits left are counted: 32-bit keys without values, in inputs large enough
/// that launch overhead is negligible.
constexpr bool counts_buckets(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return kMayCount && key_bytes == 4 && value_bytes == 0 &&
         n / kDigits > std::uint64_t{bucket_elements(key_bytes, value_bytes)} / 10 * 9;
}
/// Maximum n that is sorted by a single block by default.
inline constexpr std::uint32_t kMaxOneBlockElements = 8192;
constexpr std::uint32_t one_block_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return std::min(kMaxOneBlockElements, bucket_elements(key_bytes, value_bytes));
}
/// Size class of that block: the fewest threads that have at most 8 keys each, or else the largest class.
constexpr int one_block_class(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const auto holds = [&](int c) {
    const Shape shape = class_shape(c, key_bytes, value_bytes);
    return n <= 8 * static_cast<std::uint64_t>(shape.threads) && n <= shape.elements();
  };
  int c = 0;
  while (c + 1 < kClasses && !holds(c)) ++c;
  return c;
}

// One-level sort in one kernel (one_level.cuh).
/// Maximum sample size in keys; two buffers of the widest keys fit in shared memory.
inline constexpr std::uint32_t kOneLevelMaxSample = (kSharedBytes < 80 * 1024    ? 1
                                                     : kSharedBytes < 148 * 1024 ? 2
                                                                                 : 4) *
                                                    kMaxThreads;
inline constexpr std::uint32_t kOneLevelMaxClasses =
    std::max<std::uint32_t>(kOneLevelMaxSample / 2, kMaxThreads);  ///< maximum number of classes
inline constexpr std::uint32_t kOneLevelMinBlockKeys = 1024;       ///< minimum number of keys per block
inline constexpr int kOneLevelMaxItems = 20;                       ///< maximum number of keys per thread
/// Static shared memory of a block, in bytes.
inline constexpr std::uint32_t kOneLevelStaticBytes = 10168 + kOneLevelMaxClasses * 4 + kOneLevelMaxClasses / 8;
/// Dynamic shared memory, in bytes, of a block with `items` keys per thread.
constexpr std::uint32_t one_level_stage_bytes(int items, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const Shape shape{kMaxThreads, items};
  const std::uint32_t stage = (shape.elements() * (key_bytes + value_bytes) + 15) / 16 * 16;
  return std::max({bucket_stage_bytes(shape, key_bytes, value_bytes), stage + kOneLevelMaxClasses * (4 + key_bytes),
                   2 * kOneLevelMaxSample * key_bytes + 16});
}
/// Maximum number of keys per thread that fits in shared memory.
constexpr int one_level_items(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  int items = 1;
  while (items < kOneLevelMaxItems &&
         one_level_stage_bytes(items + 1, key_bytes, value_bytes) + kOneLevelStaticBytes <= kSharedBytes)
    ++items;
  return items;
}
/// Maximum n of the one-level sort by default: with more, the sample cuts skewed keys too coarsely.
constexpr std::uint32_t one_level_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return static_cast<std::uint32_t>(kMaxThreads * one_level_items(key_bytes, value_bytes)) / 7 * 1024;
}
/// Keys per thread for which kernels are compiled, in ascending order.
constexpr std::array<int, 3> one_level_choices(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const int max_items = one_level_items(key_bytes, value_bytes);
  return {std::min(2, max_items), std::clamp(max_items * 2 / 5, std::min(2, max_items), max_items), max_items};
}
/// The smallest compiled number of keys per thread with which `blocks` blocks have room for 2 n keys, or the largest.
constexpr int one_level_items_for(std::uint64_t n, std::uint64_t blocks, std::uint32_t key_bytes,
                                  std::uint32_t value_bytes) {
  const auto choices = one_level_choices(key_bytes, value_bytes);
  for (const int items : choices) {
    if (n <= blocks * kMaxThreads * static_cast<std::uint64_t>(items) / 2) return items;
  }
  return choices.back();
}
/// Number of windows of the result, each sorted by a block with room for `capacity` elements.
constexpr std::uint32_t one_level_windows(std::uint32_t n, std::uint32_t blocks, std::uint32_t capacity) {
  std::uint32_t windows = blocks;
  while (n / windows > capacity / 10 * 6) windows += blocks;
  return windows;
}
constexpr int one_level_class_bits(std::uint32_t windows) {
  int bits = 6;
  while ((1U << bits) < 3 * windows && (1U << bits) < kOneLevelMaxClasses) ++bits;
  return bits;
}
/// Sample size in keys: larger if windows leave little room for a class above average.
constexpr std::uint32_t one_level_sample(int items, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const bool has_little_room = items == one_level_items(key_bytes, value_bytes) && (value_bytes > 0 || key_bytes > 8);
  return has_little_room ? kOneLevelMaxSample : std::max<std::uint32_t>(kOneLevelMaxSample / 2, kMaxThreads);
}
/// Largest class of the sample for which keys count as evenly distributed.
inline std::uint32_t one_level_even_keys(std::uint32_t n, std::uint32_t windows, int class_bits, std::uint32_t capacity,
                                         std::uint32_t sample) {
  const std::uint32_t window = n / windows + 1;
  const std::uint64_t spare = std::min(capacity - window, 2 * window);
  // Bound of five standard deviations: by chance, a class with `share` sampled keys on average hardly ever exceeds it.
  const double share = static_cast<double>(sample >> class_bits);
  const auto by_chance = static_cast<std::uint32_t>(share + 5 * std::sqrt(share) + 4);
  const std::uint32_t max_class = sample / 4 * 3;
  return std::max(by_chance, static_cast<std::uint32_t>(spare * max_class / n));
}

// Skewed keys.
/// Sampled keys per thread for a small segment, whose classes may be large.
inline constexpr std::uint32_t kSmallDraw = 2;
/// Sampled keys per thread for a large segment, whose classes must be more even in size; two buffers of them fit in
/// shared memory.
constexpr std::uint32_t large_draw(std::uint32_t key_bytes) {
  std::uint32_t keys = key_bytes > 8 ? 4 : 8;
  while (keys > kSmallDraw && 2 * keys * kThreads * key_bytes > shared_of_blocks(kBlocks)) keys /= 2;
  return keys;
}
/// Maximum size of a segment that draws the small sample.
constexpr std::uint64_t small_draw_elements(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return kDigits / 4 * std::uint64_t{bucket_elements(key_bytes, value_bytes)};
}
/// Largest count of a `bits`-bit digit in a sample of `size` keys for which digits count as even: a multiple of the
/// equal share.
constexpr std::uint32_t skew_threshold(std::uint32_t size, int bits, bool spares_levels) {
  return (spares_levels ? 8 : 40) * (size >> bits);
}
/// Minimum number of lanes of a warp with the same digit for which one lane adds for all.
inline constexpr std::uint32_t kHotLanes = 6;
inline constexpr std::uint32_t kEvennessSamples = 4;  ///< number of 32-key samples that decide whether a bucket is even
inline constexpr std::uint32_t kSkewedPartKeys =
    5;  ///< sampled keys in 1/32 of the range from which on a sample counts as skewed
inline constexpr std::uint32_t kMaxKeysPerBin = 12;  ///< maximum number of keys per bin of an even bucket
inline constexpr std::uint32_t kMaxThreadKeys = 48;  ///< maximum number of keys in the bins of one thread

/// Number of elements from which on a search between splitters costs more than a level that it may save.
inline constexpr std::uint64_t kCheapLevelElements = std::uint64_t{1} << 25;
/// Number of levels that run in one kernel per step: those that may be needed, once launch overhead is negligible.
constexpr int stepped_levels(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t mebibytes = n * (key_bytes + value_bytes) >> 20;
  return mebibytes < 64 ? 0 : mebibytes < 128 ? 1 : mebibytes < 256 ? 2 : kSampledLevels;
}

/// Variant of the algorithm.
enum class Regime : std::uint8_t {
  one_block,   ///< one block sorts all keys as a bucket
  one_level,   ///< one level in one kernel
  wide,        ///< one partition by both top digits at once, then levels
  partitions,  ///< one partition per top digit, then levels
};
inline constexpr std::array kRegimes{
    Choice<Regime>{"one_block", Regime::one_block}, Choice<Regime>{"one_level", Regime::one_level},
    Choice<Regime>{"wide", Regime::wide}, Choice<Regime>{"partitions", Regime::partitions}};

constexpr std::string_view regime_name(Regime regime) {
  return kRegimes[static_cast<std::size_t>(regime)].word;
}

/// Fastest variant for n uniform keys, measured on an H100.
constexpr Regime usual_regime(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  if (n <= one_block_elements(key_bytes, value_bytes)) return Regime::one_block;
  if (n <= one_level_elements(key_bytes, value_bytes)) return Regime::one_level;
  return n <= max_wide_elements(key_bytes, value_bytes) ? Regime::wide : Regime::partitions;
}
struct ElementRange {
  std::uint64_t min = 0, max = ~std::uint64_t{0};
};
/// Range of n in which a regime can be requested: wider than the range in which it is the default, as far as it may be
/// faster for some keys.
constexpr ElementRange regime_elements(Regime regime, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const std::uint64_t few = one_block_elements(key_bytes, value_bytes);
  // A window has three classes, and more room than keys.
  constexpr std::uint64_t kWindows = kOneLevelMaxClasses / 3;
  const auto window = static_cast<std::uint32_t>(kMaxThreads * one_level_items(key_bytes, value_bytes) / 10 * 6);
  const std::uint64_t contested = one_level_elements(key_bytes, value_bytes) / 8;
  switch (regime) {
    case Regime::one_block: return {.min = 0, .max = bucket_elements(key_bytes, value_bytes)};
    case Regime::one_level: return {.min = few / 4, .max = kWindows * window};
    case Regime::wide: return {.min = contested, .max = 4 * max_wide_elements(key_bytes, value_bytes)};
    case Regime::partitions: return {.min = contested};
  }
  return {};
}

/// Plan of a sort.
struct Plan {
  Regime regime = Regime::one_block;
  Top top{};                    ///< wide, partitions only
  bool counts_buckets = false;  ///< wide, partitions
  bool samples_range = false;   ///< wide, partitions: the top digits come from the bits in which a sample differs
  int stepped_levels = 0;       ///< wide, partitions
};
/// True if the top digits come from the bits in which a sample differs. False for two partitions of few keys whose
/// buckets are then counted: smaller tables would cost them more than a level costs whose keys all share a digit.
constexpr bool samples_range(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes, Regime regime) {
  return regime == Regime::wide || n >= kCheapLevelElements || !counts_buckets(n, key_bytes, value_bytes);
}
/// `top_bits`: width of both digits together. 0: the smallest width at which uniform keys give buckets that fit.
constexpr Plan make_plan(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes, Regime regime,
                         int top_bits = 0) {
  Plan plan{.regime = regime};
  if (regime != Regime::wide && regime != Regime::partitions) return plan;
  const bool wide = regime == Regime::wide;
  plan.top = wide ? wide_top(n, key_bytes, value_bytes) : partitions_top(n, key_bytes, value_bytes);
  if (top_bits > 0) {
    const int first = top_bits > kDigitBits + kMaxSecondBits ? kMaxFirstBits : kDigitBits;
    plan.top = {first, top_bits - first, wide};
  }
  plan.counts_buckets = counts_buckets(n, key_bytes, value_bytes);
  plan.samples_range = samples_range(n, key_bytes, value_bytes, regime);
  plan.stepped_levels = plan.counts_buckets ? 0 : stepped_levels(n, key_bytes, value_bytes);
  return plan;
}
constexpr Plan make_plan(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  return make_plan(n, key_bytes, value_bytes, usual_regime(n, key_bytes, value_bytes));
}

// Parameters as words.

inline constexpr int kMinTopBits = kDigitBits + 1;
inline constexpr int kMaxTopBits = kMaxFirstBits + kMaxSecondBits;
constexpr int max_top_bits(Regime regime) {
  return regime == Regime::wide ? kWideBits : regime == Regime::partitions ? kMaxTopBits : 0;
}

/// Regime named by a word of kRegimes, or the default one for "auto".
inline Regime parse_regime(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes, std::string_view word) {
  return word == "auto" ? usual_regime(n, key_bytes, value_bytes) : chosen("regime", word, kRegimes);
}
inline Plan make_plan(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes, std::string_view word,
                      int top_bits) {
  return make_plan(n, key_bytes, value_bytes, parse_regime(n, key_bytes, value_bytes, word), top_bits);
}

/// The reason this variant cannot sort n elements, or nullopt.
inline std::optional<std::string> declines(std::uint64_t n, std::uint32_t key_bytes, std::uint32_t value_bytes,
                                           std::string_view word, int top_bits) {
  const Regime regime = parse_regime(n, key_bytes, value_bytes, word);
  const ElementRange range = regime_elements(regime, key_bytes, value_bytes);
  if (n < range.min || n > range.max) {
    std::string others;
    for (const auto& [other, other_regime] : kRegimes) {
      const ElementRange elements = regime_elements(other_regime, key_bytes, value_bytes);
      if (n >= elements.min && n <= elements.max) others += std::string{other} + ", ";
    }
    const bool few = n < range.min;
    return "regime=" + std::string{word} + " sorts at " + (few ? "least " : "most ") +
           std::to_string(few ? range.min : range.max) + " elements of these types; allowed: " + others + "or auto";
  }
  const int max_bits = max_top_bits(regime);
  if (top_bits == 0 || (top_bits >= kMinTopBits && top_bits <= max_bits)) return std::nullopt;
  const std::string allowed =
      max_bits == 0 ? "0" : "0 or " + std::to_string(kMinTopBits) + " to " + std::to_string(max_bits);
  return "top_bits must be " + allowed + " with regime=" + std::string{word};
}

}  // namespace sortlab::msd_gpu
