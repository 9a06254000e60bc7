// The levels of the tree: in one kernel, whose blocks wait for each other between the steps of a level, or, where keys
// are so many that launches do not matter, in a kernel a step, which the compiler can fit into registers.
#pragma once

#include <cooperative_groups.h>

#include "algorithms/msd_radix_gpu/count.cuh"
#include "algorithms/msd_radix_gpu/divide.cuh"
#include "algorithms/msd_radix_gpu/move.cuh"

namespace sortlab::msd_gpu {

/// Whence the tree grows.
enum class From : std::uint8_t {
  input,       ///< a level of one segment: all keys
  top_levels,  ///< what the top levels left, if anything
};

/// Of shared memory, which each step uses in its own way.
template <class Word, class V>
inline constexpr std::uint32_t kLevelsBytes = std::max<std::uint32_t>(Stage<Word, V>::kBytes, sizeof(DivideShared));

__device__ inline void clear_level(const Lists& lists, int level) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * kThreads;
  const std::uint64_t segments = *static_cast<volatile std::uint32_t*>(lists.state->segments + level);
  for (std::uint64_t i = thread; i < segments * kDigits; i += threads) lists.rows[i] = 0;
  for (std::uint64_t i = thread; i < segments * 2; i += threads) lists.differ[i] = 0;
}

template <class Word, class V, class Wait>
__device__ void sort_levels_with(const Arrays<Word, V>& arrays, const Lists& lists, From from, uint4* shared_bytes,
                                 const Wait& wait) {
  const Stage<Word, V> stage{shared_bytes};
  State& state = *lists.state;
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * kThreads;
  const int first_level = from == From::input ? 0 : kTopLevels;
  if (from == From::input) {
    const std::uint64_t tile = lists.tile_elements;
    const auto tiles = static_cast<std::uint32_t>((lists.n + tile - 1) / tile);
    if (thread == 0) {
      lists.segments[0][0] = {.begin = 0,
                              .count = lists.n,
                              .row = lists.rows,
                              .left = 8 * sizeof(Word),
                              .bits = kDigitBits,
                              .side = 0,
                              .kind = Kind::divide};
      state.segments[0] = 1;
      state.tiles[0] = tiles;
    }
    for (std::uint64_t t = thread; t < tiles; t += threads) {
      const std::uint64_t begin = t * tile, rest = lists.n - begin;
      lists.tiles[0][t] = {begin, static_cast<std::uint32_t>(rest < tile ? rest : tile), 0};
    }
    for (std::uint64_t i = thread; i < kDigits; i += threads) lists.rows[i] = 0;
    if (thread < 2) lists.differ[thread] = 0;
    wait();
  }
  for (int level = first_level;; ++level) {
    const std::uint64_t segments = *static_cast<volatile std::uint32_t*>(state.segments + level);
    if (segments == 0) break;
    if (level > 0) {
      clear_level(lists, level);
      wait();
    }
    count_level(arrays, lists, level, reinterpret_cast<std::uint32_t*>(shared_bytes));
    wait();
    divide_level(lists, level, *reinterpret_cast<DivideShared*>(shared_bytes));
    wait();
    move_level(arrays, lists, level, stage);
    wait();
  }
}

template <class Word, class V>
__global__ void __launch_bounds__(kThreads, kBlocks) sort_levels(Arrays<Word, V> arrays, Lists lists, From from) {
  extern __shared__ uint4 shared_bytes[];
  sort_levels_with(arrays, lists, from, shared_bytes, [] { cooperative_groups::this_grid().sync(); });
}

__global__ static void __launch_bounds__(kThreads) clear_rows(Lists lists, int level) {
  clear_level(lists, level);
}

template <class Word, class V>
__global__ void __launch_bounds__(kThreads, kBlocks) count_tiles(Arrays<Word, V> arrays, Lists lists, int level) {
  __shared__ std::uint32_t counts[kDigits];
  count_level(arrays, lists, level, counts);
}

__global__ static void __launch_bounds__(kThreads) divide_segments(Lists lists, int level) {
  __shared__ DivideShared shared;
  divide_level(lists, level, shared);
}

}  // namespace sortlab::msd_gpu
