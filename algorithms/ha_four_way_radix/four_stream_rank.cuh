// Ranks in a tile by a 2-bit digit, by four simultaneous prefix sums.
#pragma once

#include "algorithms/common/cuda/counting_pass/warp_scan.cuh"

namespace sortlab::ha {

/// One stream per digit counts the preceding elements with this digit. The streams are independent, so that one's scan
/// hides the latency of the others. Thread t holds the elements t * Items … t * Items + Items - 1 of the tile.
template <int Threads, int Items, class Scan>
class FourStreamRank {
  static constexpr int kWarps = Threads / kWarp;

 public:
  struct Storage {
    uint4 warp_total[kWarps];
    typename Scan::Storage scan[4];
  };

  /// Position of each element in the tile's stable order by `digit`. Called by all threads of the block. It contains
  /// one barrier, after which no thread reads what others wrote to `storage` in an earlier call.
  __device__ static void rank(const unsigned (&digit)[Items], unsigned (&place)[Items], Storage& storage) {
    uint4 own{};
#pragma unroll
    for (int i = 0; i < Items; ++i) {
      place[i] = of(own, digit[i]);
      own.x += digit[i] == 0;
      own.y += digit[i] == 1;
      own.z += digit[i] == 2;
      own.w += digit[i] == 3;
    }
    const uint4 inclusive{Scan::inclusive(own.x, storage.scan[0]), Scan::inclusive(own.y, storage.scan[1]),
                          Scan::inclusive(own.z, storage.scan[2]), Scan::inclusive(own.w, storage.scan[3])};
    const unsigned warp = threadIdx.x / kWarp;
    if (threadIdx.x % kWarp == kWarp - 1) storage.warp_total[warp] = inclusive;
    __syncthreads();

    uint4 first = minus(inclusive, own);
    uint4 total{};
#pragma unroll
    for (unsigned w = 0; w < kWarps; ++w) {
      if (w == warp) first = plus(first, total);
      total = plus(total, storage.warp_total[w]);
    }
    first = plus(first, {0, total.x, total.x + total.y, total.x + total.y + total.z});
#pragma unroll
    for (int i = 0; i < Items; ++i) place[i] += of(first, digit[i]);
  }

 private:
  __device__ static unsigned of(const uint4& streams, unsigned digit) {
    const unsigned low = digit == 0 ? streams.x : streams.y;
    const unsigned high = digit == 2 ? streams.z : streams.w;
    return digit < 2 ? low : high;
  }
  __device__ static uint4 plus(const uint4& a, const uint4& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
  }
  __device__ static uint4 minus(const uint4& a, const uint4& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
  }
};

}  // namespace sortlab::ha
