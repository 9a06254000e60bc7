// Inclusive prefix sum over a warp, as in 2009 and by today's shuffles.
#pragma once

#include <cstdint>

namespace sortlab::ha {

inline constexpr int kWarp = 32;

/// Scan through shared memory, the only way before shuffles: the lower half of a warp's row stays zero, so that no lane
/// tests whether it has a neighbour.
template <int Threads>
struct SharedWarpScan {
  struct Storage {
    std::uint32_t row[Threads / kWarp][2 * kWarp];
  };

  __device__ static std::uint32_t inclusive(std::uint32_t value, Storage& storage) {
    const unsigned lane = threadIdx.x % kWarp;
    std::uint32_t* const row = storage.row[threadIdx.x / kWarp];
    row[lane] = 0;
    std::uint32_t* const mine = row + kWarp + lane;
    *mine = value;
    __syncwarp();
#pragma unroll
    for (int distance = 1; distance < kWarp; distance *= 2) {
      const std::uint32_t left = *(mine - distance);
      __syncwarp();
      value += left;
      *mine = value;
      __syncwarp();
    }
    return value;
  }
};

struct ShuffleWarpScan {
  struct Storage {};

  __device__ static std::uint32_t inclusive(std::uint32_t value, Storage&) {
    const unsigned lane = threadIdx.x % kWarp;
#pragma unroll
    for (int distance = 1; distance < kWarp; distance *= 2) {
      const std::uint32_t left = __shfl_up_sync(~0u, value, distance);
      if (lane >= distance) value += left;
    }
    return value;
  }
};

}  // namespace sortlab::ha
