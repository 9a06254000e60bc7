// Primitives of a block.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cuda/occupancy.hpp"

namespace sortlab::multi_gpu {

inline constexpr std::uint32_t kWarp = 32;
inline constexpr std::uint32_t kAllLanesOfWarp = ~0U;

/// Exclusive prefix sum of `mine` over the block. `warps` has a place for each warp, and may be used again after the
/// next barrier.
__device__ inline std::uint32_t block_exclusive_sum(std::uint32_t mine, std::uint32_t* warps) {
  const std::uint32_t lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  std::uint32_t sum = mine;
  for (std::uint32_t step = 1; step < kWarp; step *= 2) {
    const std::uint32_t other = __shfl_up_sync(kAllLanesOfWarp, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == kWarp - 1) warps[warp] = sum;
  __syncthreads();
  std::uint32_t before = 0;
  for (std::uint32_t w = 0; w < warp; ++w) before += warps[w];
  return before + sum - mine;
}

/// Launches `kernel` on `stream` of the current device.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), unsigned blocks, int threads, std::uint32_t shared_bytes,
            cudaStream_t stream, const Arguments&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3{blocks};
  config.blockDim = dim3{static_cast<unsigned>(threads)};
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  check(cudaLaunchKernelEx(&config, kernel, arguments...));
}

}  // namespace sortlab::multi_gpu
