// What the sort does and its model charges: how elements become words, how they are divided (digits of the first
// partition, blocks, buffers), and which mode is chosen when. With digit_map.hpp and misplaced.hpp, which the model
// reads through it, it has no dependencies.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "algorithms/msd_radix_cpu/digit_map.hpp"
#include "algorithms/msd_radix_cpu/misplaced.hpp"

namespace sortlab::msd {

/// A 32-bit key with a 32-bit value is one 64-bit word, the key above. All other values stay beside their words, both
/// widened to 64 bits.
constexpr bool joins(std::size_t key_bytes, std::size_t value_bytes) {
  return key_bytes == 4 && value_bytes == 4;
}
constexpr bool has_values_beside(std::size_t key_bytes, std::size_t value_bytes) {
  return value_bytes > 0 && !joins(key_bytes, value_bytes);
}
constexpr std::size_t word_bytes(std::size_t key_bytes, std::size_t value_bytes) {
  return key_bytes == 4 && value_bytes == 0 ? 4 : 8;
}

/// Registers of the matrix that a sorting network takes at most.
constexpr std::size_t network_rows(bool values) {
  return values ? 8 : 16;
}

/// The fewest 64-bit words for which a partition by digits in cache pays off. It moves words one by one, while
/// quicksort moves twice as many 32-bit ones per register: for those it never pays (on an Emerald Rapids, 7.4 cycles a
/// key and not 4.7).
inline constexpr std::size_t kPartitioned = 4096;
constexpr bool sorts_by_digits(std::size_t bytes, std::size_t n) {
  return bytes == 8 && n >= kPartitioned;
}
/// Sampled words to test whether words are evenly spread, parts of their range, and the most samples allowed in a part:
/// with one sample per part on average, one of 256 parts in a million holds more.
inline constexpr std::size_t kEvenParts = 256;
inline constexpr std::size_t kFullPart = 9;

/// Frequent words are taken out: more than a twentieth of a sample each, together three quarters of it.
inline constexpr std::size_t kFrequentShare = 20;
constexpr bool are_most(std::size_t words, std::size_t sampled) {
  return words >= sampled * 3 / 4;
}

/// More threads sort faster than one thread repairs a nearly sorted input.
inline constexpr int kMostMendingThreads = 2;

/// Up to this many runs are merged rather than sorted: each merge costs about as much as two levels of quicksort. None
/// may be short.
inline constexpr std::size_t kMostRuns = 4;
constexpr bool is_long_run(std::uint64_t run, std::uint64_t n) {
  return run >= n / (2 * kMostRuns);
}

/// The smallest range from which a thread offers parts to others: sorting fewer takes little longer than offering them.
/// Number: integral, or real as in a model.
template <class Number>
constexpr Number shared_range(Number n, int threads) {
  constexpr Number least = 4096;
  return threads == 1 ? n : std::max<Number>(least, n / static_cast<Number>(8 * threads));
}

/// Digits for splitting a bucket that is too large for the cache.
inline constexpr std::uint32_t kSplit = 16;

/// Elements that are handled at a time: their words and digits stay in the L1 cache.
inline constexpr std::size_t kTile = 1024;

/// Blocks that a thread takes at a time. Their links share a cache line, which no other thread then writes to.
inline constexpr std::uint32_t kTakenAtOnce = 16;

/// The approximate number of ranges into which a team partitions n elements together, by pivots, before its threads
/// continue alone; 1: none. With fewer elements per thread, barriers cost more than partitioning by one thread.
inline std::uint32_t ranges_of_team(std::uint64_t n, int threads) {
  constexpr std::uint64_t least = 32768;
  const auto team = static_cast<std::uint32_t>(threads);
  return n < least * team ? 1 : std::bit_ceil(team);
}

struct Settings {
  std::size_t bucket_bytes = 0;    ///< of a bucket on average, words and values
  std::uint32_t lines = 4;         ///< of a buffer
  bool in_place = false;           ///< no scratch memory but for a core's cache
  std::uint64_t pivots_below = 0;  ///< fewer elements have no first partition
};

struct Plan {
  std::uint32_t digits = 1;  ///< of the first partition; 1: there is none
  std::uint32_t lines = 4;
  std::size_t bucket = 0;    ///< elements of a bucket on average
  std::size_t capacity = 0;  ///< most elements that are sorted in cache
  std::uint64_t blocks = 0;
  std::uint32_t block_elements = 0;

  /// For n elements of `bytes` each (words and values), `threads`.
  Plan(std::uint64_t n, std::size_t word_bytes, std::size_t bytes, int threads, const Settings& settings) {
    lines = settings.lines;
    // Their buffers take half a core's cache, of which a bucket is a quarter.
    const std::uint64_t most_digits = std::clamp<std::uint64_t>(
        2 * settings.bucket_bytes * word_bytes / (std::uint64_t{lines} * 64 * bytes), 2048, 65536);
    const std::uint32_t buffer = lines * 64 / static_cast<std::uint32_t>(word_bytes);
    bucket = settings.bucket_bytes / bytes;
    capacity = 2 * bucket;
    const auto team = static_cast<std::uint32_t>(threads);
    if (n > capacity && !settings.in_place && n >= settings.pivots_below) {
      const std::uint64_t wanted = std::max<std::uint64_t>(n / bucket, 8 * std::uint64_t{team});
      digits = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, 16, most_digits));
    }
    // Blocks filled in part or not at all: one of each digit a thread, in the first partition and in a split, the one
    // that a split reads, those taken ahead, and one of each bucket that waits for its split. Together they are no more
    // than a 28th of n, as long as a block holds a buffer.
    const std::uint64_t partial_blocks =
        digits == 1 ? 0 : (std::uint64_t{digits} + kSplit + kTakenAtOnce) * team + n / capacity + 1;
    const std::uint64_t partial = n / 28 / (partial_blocks + 1);
    block_elements = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(std::bit_floor(partial | 1), buffer, 4096));
    blocks = n / block_elements + 1 + partial_blocks;
    if (settings.in_place) blocks = 0;
    if (digits == 1) capacity = std::min<std::size_t>(capacity, n);
  }
};

}  // namespace sortlab::msd
