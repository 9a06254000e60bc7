// What the sort does and its model charges: which buckets are split, sorted in cache or by insertion, and by whom.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sortlab::paradis {

struct Settings {
  int digit_bits = 8;
  std::uint64_t small_sort = 2048;  ///< the largest bucket that is sorted through a buffer
  std::uint64_t insertion = 16;     ///< the largest bucket that is sorted by insertion
};

/// For fewer elements, waking the team takes longer than sorting.
inline constexpr std::uint64_t kShared = 1U << 15;
/// Misplaced elements up to which one thread places them: fewer are not worth a round of the group.
inline constexpr std::uint64_t kFew = 4096;
/// Cycles of the permutation that a thread follows at once. More hide more latency, until registers run out.
inline constexpr std::size_t kCycles = 6;

/// Of a bucket in cache: the most bits of one of its two passes, the largest bucket for 16-bit counters, and the moves
/// per element after which insertion gives up.
inline constexpr int kMostBits = 8;
inline constexpr std::uint64_t kLargestSmall = 4096;
inline constexpr std::uint64_t kMostMoves = 8;

}  // namespace sortlab::paradis
