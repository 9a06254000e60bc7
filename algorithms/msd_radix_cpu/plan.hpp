// The plan that the sort runs and its model charges: the words of elements, their division (digits of the first
// partition, blocks, buffers), and the choice of mode. It has no dependencies but digit_map.hpp and misplaced.hpp,
// which the model reads through it.
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

/// Maximum number of registers (matrix rows) of a sorting network.
constexpr std::size_t network_rows(bool values) {
  return values ? 8 : 16;
}

/// Minimum number of 64-bit words for which a partition by digits in cache pays off. For 32-bit words it never does: it
/// moves words one by one, while quicksort moves twice as many of them per register (on an Emerald Rapids 7.4 cycles
/// per key instead of 4.7).
inline constexpr std::size_t kPartitioned = 4096;
constexpr bool sorts_by_digits(std::size_t bytes, std::size_t n) {
  return bytes == 8 && n >= kPartitioned;
}
/// Minimum number of 64-bit words that are sorted as 32-bit words, if their range allows it.
inline constexpr std::size_t kNarrowed = 2048;
constexpr bool is_narrow(std::uint64_t low, std::uint64_t high) {
  return high - low <= 0xFFFFFFFF;
}

/// Test for evenly spread words: number of sampled words, number of parts of their range, and maximum number of samples
/// in a part. With one sample per part on average, one part in a million exceeds the maximum.
inline constexpr std::size_t kEvenParts = 256;
inline constexpr std::size_t kFullPart = 9;

/// Frequent words are taken out: each is more than a twentieth of a sample, and together they are three quarters of it.
inline constexpr std::size_t kFrequentShare = 20;
constexpr bool are_most(std::size_t words, std::size_t sampled) {
  return words >= sampled * 3 / 4;
}

/// Maximum number of threads with which a nearly sorted input is repaired, by one thread. More threads sort faster.
inline constexpr int kMaxRepairThreads = 2;

/// Maximum number of runs that are merged rather than sorted, none of them short. Each merge costs about as much as two
/// levels of quicksort.
inline constexpr std::size_t kMaxRuns = 4;
constexpr bool is_long_run(std::uint64_t run, std::uint64_t n) {
  return run >= n / (2 * kMaxRuns);
}

/// The smallest range of which a thread offers parts to others. Sorting a smaller one takes little longer than offering
/// it. `Number` is integral, or real in the model.
template <class Number>
constexpr Number shared_range(Number n, int threads) {
  constexpr Number least = 4096;
  return threads == 1 ? n : std::max<Number>(least, n / static_cast<Number>(8 * threads));
}

/// Number of digits for splitting a bucket that is too large for the cache.
inline constexpr std::uint32_t kSplit = 16;

/// Elements that are processed at a time. Their words and digits stay in the L1 cache.
inline constexpr std::size_t kTile = 1024;

/// Blocks that a thread takes at a time. Their links fill a cache line, which no other thread then writes to.
inline constexpr std::uint32_t kTakenAtOnce = 16;

/// The approximate number of ranges into which a team partitions n elements together, by pivots, before its threads
/// continue alone; 1: none. With fewer elements per thread, barriers cost more than partitioning by one thread.
inline std::uint32_t ranges_of_team(std::uint64_t n, int threads) {
  constexpr std::uint64_t least = 32768;
  const auto team = static_cast<std::uint32_t>(threads);
  return n < least * team ? 1 : std::bit_ceil(team);
}

struct Settings {
  std::size_t bucket_bytes = 0;    ///< average size of a bucket, words and values
  std::uint32_t lines = 4;         ///< cache lines of a buffer
  bool in_place = false;           ///< scratch memory is limited to a core's cache
  std::uint64_t pivots_below = 0;  ///< fewer elements are sorted without a first partition
};

struct Plan {
  std::uint32_t digits = 1;  ///< digits of the first partition; 1: no partition
  std::uint32_t lines = 4;
  std::size_t bucket = 0;    ///< average number of elements of a bucket
  std::size_t capacity = 0;  ///< maximum number of elements that are sorted in cache
  std::uint64_t blocks = 0;
  std::uint32_t block_elements = 0;

  /// Plan for n elements of `bytes` each (word and value) and `threads` threads.
  Plan(std::uint64_t n, std::size_t word_bytes, std::size_t bytes, int threads, const Settings& settings) {
    lines = settings.lines;
    // The digits' buffers take half of a core's cache, and a bucket a quarter.
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
    // Blocks that are empty or partly filled: for each thread one per digit of the first partition and of a split, the
    // block that a split reads, and the blocks taken ahead; and one for each bucket that waits for its split. Together
    // they are at most a 28th of n, as long as a block holds a buffer.
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
