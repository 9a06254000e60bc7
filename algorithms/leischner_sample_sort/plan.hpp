// Plan of the sort, read by the sort and its model: ways, tiles, the size at which splitting ends, and the bounds of
// its lists.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "core/choice.hpp"
#include "core/parameters.hpp"

namespace sortlab::sample_sort {

/// Source of the scatter's bucket indices (section 4: storing "does not pay").
enum class Ids { recomputed, stored };
inline constexpr std::array kIds{Choice<Ids>{"recomputed", Ids::recomputed}, Choice<Ids>{"stored", Ids::stored}};

/// Scatter of a tile: each element directly to its position, or bucket by bucket after a reordering in shared memory.
enum class Scatter { direct, reordered };
inline constexpr std::array kScatters{Choice<Scatter>{"direct", Scatter::direct},
                                      Choice<Scatter>{"reordered", Scatter::reordered}};

enum class Network { odd_even, bitonic };
inline constexpr std::array kNetworks{Choice<Network>{"odd_even", Network::odd_even},
                                      Choice<Network>{"bitonic", Network::bitonic}};

/// Sort of a bucket of at most M elements by a block: quicksort down to networks in shared memory, or merge sort
/// entirely in shared memory.
enum class BucketSort { quicksort, merge };
inline constexpr std::array kBucketSorts{Choice<BucketSort>{"quicksort", BucketSort::quicksort},
                                         Choice<BucketSort>{"merge", BucketSort::merge}};

/// Counter arrays of a tile: summed before the scan, or scanned separately (the released code).
enum class Counts { summed, apart };
inline constexpr std::array kCounts{Choice<Counts>{"summed", Counts::summed}, Choice<Counts>{"apart", Counts::apart}};

/// Ways of a split: always k, or as many as make buckets of M/2 in the fewest levels.
enum class FanOut { fixed, fitted };
inline constexpr std::array kFanOuts{Choice<FanOut>{"fixed", FanOut::fixed}, Choice<FanOut>{"fitted", FanOut::fitted}};

inline constexpr std::uint32_t kWarp = 32;
inline constexpr std::uint32_t kMinLogWays = 3;  ///< at least seven splitters, some of them equal if all elements are
inline constexpr std::uint32_t kMinWays = 1u << kMinLogWays;
inline constexpr std::uint32_t kMaxWays = 1024;
inline constexpr std::uint32_t kMaxThreads = 512;  ///< threads of a block that finds buckets or scatters
inline constexpr std::uint32_t kMaxCounters = 16;
inline constexpr std::uint32_t kSampleThreads = 512;  ///< threads of the block that chooses a segment's splitters
inline constexpr std::uint32_t kNetworkThreads = 256;
inline constexpr std::uint32_t kNetworkElements = 2048;  ///< elements that a network sorts in shared memory
inline constexpr std::uint32_t kListThreads = 256;
inline constexpr std::uint32_t kSharedBytes = 200 << 10;  ///< maximum shared memory of a block, in bytes
/// Threads of a block that sorts a bucket by merging, by size class.
inline constexpr std::array<std::uint32_t, 4> kMergeThreads{64, 128, 256, 512};

/// Number of elements that a thread walks down the tree at a time.
constexpr std::uint32_t at_once(std::size_t key_bytes) {
  return key_bytes <= 8 ? 8 : 4;
}
/// Elements per thread of a block that sorts by merging: odd, so that neighbouring threads have no bank conflicts.
constexpr std::uint32_t merge_items(std::size_t key_bytes) {
  return key_bytes == 4 ? 17 : key_bytes == 8 ? 11 : 9;
}
/// Capacity of a size class, in elements.
constexpr std::uint32_t class_elements(std::size_t size_class, std::size_t key_bytes) {
  return kMergeThreads[size_class] * merge_items(key_bytes);
}
constexpr std::uint32_t max_merged(std::size_t key_bytes) {
  return class_elements(kMergeThreads.size() - 1, key_bytes);
}

/// Elements per thread of a tile that is reordered in shared memory, of the preset `tuned`: keys and values of two
/// blocks fit there.
constexpr std::uint32_t tuned_items(std::size_t key_bytes, std::size_t value_bytes) {
  return key_bytes > 8 ? 4 : key_bytes + value_bytes > 8 ? 8 : 16;
}
/// Oversampling a of the paper: sample and splitters fill the same shared memory for any key width.
constexpr std::uint32_t papers_oversampling(std::size_t key_bytes) {
  return key_bytes == 4 ? 30 : key_bytes == 8 ? 15 : 7;
}

struct Settings {
  std::uint32_t ways = 0;          ///< k: maximum number of buckets of a split
  std::uint64_t bucket = 0;        ///< M: largest bucket that is not split further
  std::uint32_t oversampling = 0;  ///< a: sampled elements per bucket
  std::uint32_t counters = 0;      ///< arrays of counters per block
  Ids ids = Ids::recomputed;
  Scatter scatter = Scatter::direct;
  Network network = Network::odd_even;
  BucketSort bucket_sort = BucketSort::quicksort;
  Counts counts = Counts::summed;
  FanOut fan_out = FanOut::fixed;
  bool vote = false;          ///< a warp whose elements share a bucket counts them with one addition
  std::uint32_t threads = 0;  ///< t: threads of a block that finds buckets or scatters
  std::uint32_t tile = 0;     ///< elements of such a block: t * l
  std::uint64_t seed = 0;     ///< seed of the sample
};

/// M of the released code: n / (2 sqrt(k)), at least 2^14 and at most 2^18.
inline std::uint64_t released_bucket(std::uint64_t n, std::uint32_t ways) {
  const auto wanted = static_cast<std::uint64_t>(static_cast<double>(n) / (2 * std::sqrt(static_cast<double>(ways))));
  return std::clamp<std::uint64_t>(wanted, 1u << 14, 1u << 18);
}
/// Elements per tile that divide the input into about `tiles` tiles, in whole rounds of a block.
constexpr std::uint32_t tile_elements(std::uint64_t n, std::uint32_t tiles, std::uint32_t threads) {
  const std::uint64_t round = std::uint64_t{threads} * at_once(4);
  const std::uint64_t share = (n + tiles - 1) / tiles;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>((share + round - 1) / round, 1, (1u << 30) / round) *
                                    round);
}

/// Settings from the parameters for n keys of `key_bytes` bytes with values of `value_bytes` bytes, or 0.
inline Settings resolve_settings(const Parameters& parameters, std::uint64_t n, std::size_t key_bytes,
                                 std::size_t value_bytes) {
  const auto number = [&](std::string_view name) { return static_cast<std::uint32_t>(parameters.integer(name)); };
  const auto or_tuned = [&](std::string_view name, std::uint32_t tuned) {
    return parameters.is_auto(name) ? tuned : number(name);
  };
  Settings settings{.ways = number("ways"),
                    .bucket = or_tuned("bucket", max_merged(key_bytes)),
                    .oversampling = number("oversampling"),
                    .counters = number("counters"),
                    .ids = chosen("ids", parameters.word("ids"), kIds),
                    .scatter = chosen("scatter", parameters.word("scatter"), kScatters),
                    .network = chosen("network", parameters.word("network"), kNetworks),
                    .bucket_sort = chosen("bucket_sort", parameters.word("bucket_sort"), kBucketSorts),
                    .counts = chosen("counts", parameters.word("counts"), kCounts),
                    .fan_out = chosen("fan_out", parameters.word("fan_out"), kFanOuts),
                    .vote = chosen("vote", parameters.word("vote"), kYesOrNo),
                    .threads = number("threads"),
                    .tile = 0,
                    .seed = static_cast<std::uint64_t>(parameters.integer("seed"))};
  if (settings.oversampling == 0) settings.oversampling = papers_oversampling(key_bytes);
  if (settings.bucket == 0) settings.bucket = released_bucket(n, settings.ways);
  const std::uint32_t tiles = number("tiles");
  settings.tile = tiles > 0 ? tile_elements(n, tiles, settings.threads)
                            : settings.threads * or_tuned("items", tuned_items(key_bytes, value_bytes));
  return settings;
}

/// Number of counter arrays that a tile keeps in memory.
constexpr std::uint32_t kept_counters(const Settings& settings) {
  return settings.counts == Counts::apart ? settings.counters : 1;
}

/// log2 of the ways into which `count` elements are split. Fitted: the levels needed share the ways that make buckets
/// of at most M/2.
constexpr std::uint32_t log_ways(const Settings& settings, std::uint64_t count) {
  std::uint32_t max_log = 0, wanted = 0;
  while (settings.ways >> (max_log + 1) != 0) ++max_log;
  if (settings.fan_out == FanOut::fixed) return max_log;
  while (count >> wanted > settings.bucket / 2) ++wanted;
  const std::uint32_t levels = (wanted + max_log - 1) / max_log;
  const std::uint32_t shared = levels > 0 ? wanted / levels : 0;
  return shared > kMinLogWays ? shared : kMinLogWays;
}

/// Shared memory, in bytes, of a block that chooses splitters, finds buckets, or scatters.
constexpr std::uint64_t sample_bytes(const Settings& settings, std::size_t key_bytes) {
  return std::uint64_t{settings.ways} * settings.oversampling * key_bytes;
}
constexpr std::uint64_t tree_bytes(const Settings& settings, std::size_t key_bytes) {
  return 2 * std::uint64_t{settings.ways} * key_bytes;
}
constexpr std::uint64_t find_bytes(const Settings& settings, std::size_t key_bytes) {
  return tree_bytes(settings, key_bytes) + std::uint64_t{settings.ways} * settings.counters * sizeof(std::uint32_t);
}
constexpr std::uint64_t direct_bytes(const Settings& settings, std::size_t key_bytes) {
  constexpr std::size_t place = sizeof(std::uint64_t) + sizeof(std::uint32_t);
  return tree_bytes(settings, key_bytes) + std::uint64_t{settings.ways} * kept_counters(settings) * place;
}
/// Shared memory of a reordering scatter: keys, values and bucket indices of a tile, and each bucket's begin in the
/// tile and in the output.
constexpr std::uint64_t reordered_bytes(const Settings& settings, std::size_t key_bytes, std::size_t value_bytes) {
  constexpr std::size_t place = sizeof(std::uint64_t) + sizeof(std::uint32_t);
  const std::uint64_t elements = (settings.tile * key_bytes + 15) / 16 * 16 +
                                 (settings.tile * value_bytes + 15) / 16 * 16 +
                                 (settings.tile * sizeof(std::uint16_t) + 15) / 16 * 16;
  return tree_bytes(settings, key_bytes) + elements + std::uint64_t{settings.ways} * place;
}
constexpr std::uint64_t merge_bytes(std::uint32_t threads, std::size_t key_bytes, bool values, std::uint32_t overread) {
  const std::uint64_t elements = std::uint64_t{threads} * merge_items(key_bytes);
  return (elements + overread) * key_bytes + (values ? elements * sizeof(std::uint16_t) : 0);
}

/// Upper bounds on a level's lists, for n elements.
struct Bounds {
  std::uint64_t segments;  ///< buckets of more than M elements
  std::uint64_t tiles;
  std::uint64_t ways;      ///< ways of all segments together: their buckets
  std::uint64_t counters;  ///< counters in memory
};
constexpr Bounds list_bounds(const Settings& settings, std::uint64_t n) {
  Bounds bounds{};
  bounds.segments = n / (settings.bucket + 1) + 1;
  bounds.tiles = n / settings.tile + bounds.segments + 1;
  // Fitted: at most 2^l < 4 count / M ways, or the minimum.
  bounds.ways = settings.fan_out == FanOut::fixed ? bounds.segments * settings.ways
                                                  : std::min(bounds.segments * settings.ways,
                                                             bounds.segments * kMinWays + 4 * n / settings.bucket + 4);
  bounds.counters = (n / settings.tile * settings.ways + bounds.ways + settings.ways) * kept_counters(settings) + 1;
  return bounds;
}

/// The reason a setting cannot be launched, or nullopt.
inline std::optional<std::string> declines(const Settings& settings, std::size_t key_bytes, std::size_t value_bytes) {
  if (!std::has_single_bit(settings.ways)) return "ways must be a power of two";
  if (!std::has_single_bit(settings.counters)) return "counters must be a power of two";
  if (settings.threads % kWarp != 0 || settings.threads == 0) return "threads must be a multiple of 32";
  if (settings.threads % settings.counters != 0) return "threads must be a multiple of counters";
  if (settings.vote && settings.threads / settings.counters % kWarp != 0) {
    return "vote=yes needs whole warps for each array of counters: threads / counters a multiple of 32";
  }
  if (settings.bucket_sort == BucketSort::merge && settings.bucket > max_merged(key_bytes)) {
    return "bucket_sort=merge takes buckets of at most " + std::to_string(max_merged(key_bytes)) +
           " elements with this key";
  }
  if (settings.scatter == Scatter::reordered) {
    if (settings.counts == Counts::apart) return "scatter=reordered needs counts=summed";
  }
  const std::uint64_t block_bytes =
      std::max({sample_bytes(settings, key_bytes), find_bytes(settings, key_bytes),
                settings.scatter == Scatter::direct ? direct_bytes(settings, key_bytes)
                                                    : reordered_bytes(settings, key_bytes, value_bytes)});
  if (block_bytes > kSharedBytes) {
    return "ways, oversampling, counters and items need " + std::to_string(block_bytes) +
           " bytes of shared memory with these types, and a block has " + std::to_string(kSharedBytes);
  }
  return std::nullopt;
}

}  // namespace sortlab::sample_sort
