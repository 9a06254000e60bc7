// Ranks in a tile by a 2-bit digit, by one scan of packed counters.
#pragma once

#include "algorithms/common/cuda/counting_pass/warp_scan.cuh"
#include "algorithms/ha_implicit_radix/packed_counter.cuh"

namespace sortlab::ha {

/// Thread t holds the elements t * Items … t * Items + Items - 1 of the tile. Counter counts a tile. Ten bits are
/// enough for the elements of one warp, so within a warp a word always has 32 bits.
template <int Threads, int Items, class Counter, class Scan>
class ImplicitRank {
  using Narrow = PackedCounter<std::uint32_t>;
  using Wide = PackedCounter<Counter>;
  static constexpr int kWarps = Threads / kWarp;
  static constexpr int kTile = Threads * Items;
  static_assert(kWarp * Items <= Narrow::kField, "a warp's total must fit ten bits");
  static_assert(kTile - 1 <= static_cast<int>(Wide::kField), "an exclusive prefix must fit a field");
  static_assert(kTile <= 1 << 16, "places are packed in 16 bits");
  static constexpr bool kCountsInBytes = sizeof(Counter) == 8;
  static_assert(Items <= 0xFF, "a thread's counts must fit a byte");

  /// Rank of the thread's i-th element among its own elements of the same digit; counts it.
  ///
  /// As printed, in the packed word that is scanned. Or in four bytes of a word, where digit 3 needs no special case:
  /// only the scanned word must be small.
  __device__ static unsigned take(std::uint32_t& own, unsigned digit, int i) {
    if constexpr (kCountsInBytes) {
      const unsigned rank = (own >> (8 * digit)) & 0xFF;
      own += 1u << (8 * digit);
      return rank;
    } else {
      const unsigned rank = Narrow::rank(own, digit, i);
      own += Narrow::weight(digit);
      return rank;
    }
  }

 public:
  struct Storage {
    alignas(16) Counter warp_total[kWarps];
    typename Scan::Storage scan;
  };

  /// Position of each element in the tile's stable order by `digit`. Called by all threads of the block. It contains
  /// one barrier, after which no thread reads what others wrote to `storage` in an earlier call.
  __device__ static void rank(const unsigned (&digit)[Items], unsigned (&place)[Items], Storage& storage) {
    // Until the barrier one register per element holds its rank among the thread's own elements and, above it, its
    // digit as a selector of bytes 2d and 2d + 1.
    std::uint32_t own = 0;
#pragma unroll
    for (int i = 0; i < Items; ++i) place[i] = take(own, digit[i], i) + digit[i] * 0x220000 + 0x100000;
    if constexpr (kCountsInBytes) own = (own & 0xFF) | (own & 0xFF00) << 2 | (own & 0xFF0000) << 4;

    const unsigned warp = threadIdx.x / kWarp;
    const std::uint32_t inclusive = Scan::inclusive(own, storage.scan);
    if (threadIdx.x % kWarp == kWarp - 1) storage.warp_total[warp] = widened<Counter>(inclusive);
    __syncthreads();

    Counter before_warp = 0;
    Counter before_last = 0;
#pragma unroll
    for (unsigned w = 0; w < kWarps - 1; ++w) {
      if (w == warp) before_warp = before_last;
      before_last += storage.warp_total[w];
    }
    if (warp == kWarps - 1) before_warp = before_last;
    const Counter last = storage.warp_total[kWarps - 1];
    const Counter before = before_warp + widened<Counter>(inclusive - own);

    unsigned start = 0;  // begin of a digit's elements in the tile
    unsigned first[kSplitDigits];
#pragma unroll
    for (unsigned d = 0; d < 3; ++d) {
      first[d] = start + Wide::count(before, d);
      start += Wide::count(before_last, d) + Wide::count(last, d);
    }
    first[3] = start + threadIdx.x * Items - Wide::counted(before);

    const unsigned first01 = first[0] | (first[1] << 16);
    const unsigned first23 = first[2] | (first[3] << 16);
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      place[i] = (place[i] + __byte_perm(first01, first23, place[i] >> 16)) & 0xFFFF;
    }
  }
};

}  // namespace sortlab::ha
