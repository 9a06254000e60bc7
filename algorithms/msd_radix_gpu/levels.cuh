// Processes the levels of the tree: in one cooperative kernel with a barrier over all blocks between the steps of a
// level, or, for inputs so large that launch overhead is negligible, in one kernel per step, which needs fewer
// registers.
#pragma once

#include <cooperative_groups.h>

#include "algorithms/msd_radix_gpu/count.cuh"
#include "algorithms/msd_radix_gpu/divide.cuh"
#include "algorithms/msd_radix_gpu/move.cuh"

namespace sortlab::msd_gpu {

/// Shared memory of sort_levels; each step lays it out in its own way.
template <class Word, class V>
inline constexpr std::uint32_t kLevelsBytes = std::max<std::uint32_t>({Stage<Word, V>::kBytes, sizeof(DivideShared<>),
                                                                       sizeof(SplitShared<Word>)});
static_assert(sizeof(SplitShared<uint128>) <= kMaxDynamicBytes &&
              sizeof(SplitShared<std::uint64_t>) <= kMaxDynamicBytes);

/// Clears a level's counters and chooses splitters for skewed segments.
template <class Word, class V>
__device__ void prepare_level(const Arrays<Word, V>& arrays, const Lists& lists, int level, std::uint32_t segments,
                              bool may_sample, SplitShared<Word>& shared) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t i = thread; i < std::uint64_t{segments} * kDigits; i += threads) lists.rows[i] = 0;
  for (std::uint64_t i = thread; i < std::uint64_t{segments} * 2; i += threads) lists.differ[i] = 0;
  if (!may_sample) return;
  for (std::uint32_t s = blockIdx.x; s < segments; s += gridDim.x) {
    choose_segment(arrays, lists, level, s, shared);
  }
}

/// Processes the levels from `first_level` on until one has no segments, and clears the state of the next sort. Levels
/// below `sampled_before` may have splitters.
template <class Word, class V>
__global__ void __launch_bounds__(kThreads, kBlocks)
    sort_levels(Arrays<Word, V> arrays, Lists lists, int first_level, int sampled_before) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  const auto all_blocks = cooperative_groups::this_grid();
  for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < lists.state_words; i += gridDim.x * kThreads) {
    lists.next_state[i] = {};
  }
  for (int level = first_level;; ++level) {
    const std::uint32_t segments = *static_cast<volatile std::uint32_t*>(lists.state->segments + level);
    if (segments == 0) break;
    prepare_level(arrays, lists, level, segments, level < sampled_before,
                  *reinterpret_cast<SplitShared<Word>*>(shared));
    all_blocks.sync();
    count_level(arrays, lists, level, *reinterpret_cast<CountShared<Word>*>(shared));
    all_blocks.sync();
    divide_level(lists, level, *reinterpret_cast<DivideShared<>*>(shared));
    all_blocks.sync();
    move_level<true>(arrays, lists, level, Stage<Word, V>{shared});
    all_blocks.sync();
  }
}

template <class Word, class V>
__global__ void __launch_bounds__(kThreads) prepare_segments(Arrays<Word, V> arrays, Lists lists, int level) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  prepare_level(arrays, lists, level, lists.state->segments[level], !lists.counts_buckets,
                *reinterpret_cast<SplitShared<Word>*>(shared));
}

template <class Word, class V>
__global__ void __launch_bounds__(kThreads, kBlocks) count_tiles(Arrays<Word, V> arrays, Lists lists, int level) {
  wait_for_previous_kernel();
  __shared__ CountShared<Word> shared;
  count_level(arrays, lists, level, shared);
}

__global__ static void __launch_bounds__(kThreads) divide_segments(Lists lists, int level) {
  wait_for_previous_kernel();
  __shared__ DivideShared<> shared;
  divide_level(lists, level, shared);
}

}  // namespace sortlab::msd_gpu
