// Levels of the stable mode: those that uniform keys need run in one kernel per step, the others in one cooperative
// kernel.
#pragma once

#include <cooperative_groups.h>

#include "algorithms/msd_radix_gpu/stable_count.cuh"
#include "algorithms/msd_radix_gpu/stable_divide.cuh"
#include "algorithms/msd_radix_gpu/stable_move.cuh"

namespace sortlab::msd_gpu::stable {

/// Shared memory of sort_levels; each step lays it out in its own way.
template <class Word, class V>
inline constexpr std::uint32_t kLevelsBytes = std::max<std::uint32_t>({Stage<Word, V>::kBytes, sizeof(DivideShared),
                                                                       sizeof(CountShared)});

/// Makes all keys the only segment of level 0.
__global__ static void __launch_bounds__(kThreads) start_levels(Lists lists, int key_bits) {
  wait_for_previous_kernel();
  const Segment all = lists.segment(0, lists.n, key_bits, 0);
  const std::uint32_t thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
  for (std::uint32_t t = thread; t < all.tiles; t += threads) lists.level_tiles(0)[t] = 0;
  for (std::uint32_t c = thread; c < all.chunks; c += threads) lists.level_chunks(0)[c] = 0;
  if (thread >= kWarp) return;
  auto* const words = reinterpret_cast<std::uint32_t*>(lists.state);
  for (std::uint32_t w = thread; w < sizeof(State) / 4; w += kWarp) words[w] = 0;
  __syncwarp();
  if (thread != 0) return;
  lists.state->segments[0] = 1;
  lists.state->tiles[0] = all.tiles;
  lists.state->chunks[0] = all.chunks;
  lists.level_segments(0)[0] = all;
}

template <class Word, class V>
__global__ void __launch_bounds__(kThreads, kResidentThreads / kThreads)
    count_tiles(Arrays<Word, V> arrays, Lists lists, int level) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  count_level(arrays, lists, level, *reinterpret_cast<CountShared*>(shared));
}

__global__ static void __launch_bounds__(kThreads) divide_segments(Lists lists, int level) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  divide_level(lists, level, *reinterpret_cast<DivideShared*>(shared));
}

template <class Word, class V>
__global__ void __launch_bounds__(kThreads, kBlocks) move_tiles(Arrays<Word, V> arrays, Lists lists, int level) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  move_level(arrays, lists, level, Stage<Word, V>{shared});
}

/// Processes the levels from `level` on until one has no segments.
template <class Word, class V>
__global__ void __launch_bounds__(kThreads, kBlocks) sort_levels(Arrays<Word, V> arrays, Lists lists, int level) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  const auto all_blocks = cooperative_groups::this_grid();
  for (; *static_cast<volatile std::uint32_t*>(lists.state->segments + level) != 0; ++level) {
    count_level(arrays, lists, level, *reinterpret_cast<CountShared*>(shared));
    all_blocks.sync();
    divide_level(lists, level, *reinterpret_cast<DivideShared*>(shared));
    all_blocks.sync();
    move_level(arrays, lists, level, Stage<Word, V>{shared});
    all_blocks.sync();
  }
}

}  // namespace sortlab::msd_gpu::stable
