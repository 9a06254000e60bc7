// The plan that the sort runs and its model charges: sizes of buckets that are split, sorted in cache or by insertion.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sortlab::paradis {

struct Settings {
  int digit_bits = 8;
  std::uint64_t small_sort = 2048;  ///< largest bucket that is sorted through a buffer, in elements
  std::uint64_t insertion = 16;     ///< largest bucket that is sorted by insertion, in elements
  bool skips = true;                ///< skips a digit that all keys of a bucket share
};

/// Minimum number of elements for a team: waking it takes longer than sorting fewer.
inline constexpr std::uint64_t kMinShared = 1U << 15;
/// Maximum number of misplaced elements that one thread places alone: so few are not worth another round of the group.
inline constexpr std::uint64_t kMaxPlacedAlone = 4096;
/// Number of permutation cycles that a thread follows at once. More of them hide more latency, until registers run out.
inline constexpr std::size_t kCycles = 6;

/// Limits for a bucket in cache: the bits of each of its two passes, its elements (16-bit counters), and the moves per
/// element after which insertion gives up.
inline constexpr int kMaxPassBits = 8;
inline constexpr std::uint64_t kLargestSmall = 4096;
inline constexpr std::uint64_t kMaxMoves = 8;

}  // namespace sortlab::paradis
