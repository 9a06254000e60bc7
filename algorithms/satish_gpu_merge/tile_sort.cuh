// Sorts of a tile by a block. Networks are not stable: with `kStable`, ties are broken by position in the tile. A
// `Tile` has for each of its elements key load(at), where all but the first `count` are padding with the largest key;
// if kStable, value(at), of type Value; and store(at, key, value) for the output at `at`.
#pragma once

#include "algorithms/satish_gpu_merge/merge_sort.cuh"

namespace sortlab::gpu_merge {

/// Presets of the papers, with half as many threads as elements, a power of two: each step compares neighbours at a
/// distance.
template <class Word, class Tile>
__device__ __forceinline__ void sort_tile_by_network(const Tile& tile) {
  constexpr bool kStable = kHasValue<typename Tile::Value>;
  extern __shared__ uint4 shared[];
  const std::uint32_t size = 2 * blockDim.x;
  auto* const keys = reinterpret_cast<Word*>(shared);
  auto* const from = reinterpret_cast<std::uint16_t*>(keys + size);
  const auto order = [&](std::uint32_t low, std::uint32_t high) { compare_exchange<kStable>(keys, from, low, high); };

  for (std::uint32_t at = threadIdx.x; at < size; at += blockDim.x) {
    keys[at] = tile.load(at);
    if constexpr (kStable) from[at] = static_cast<std::uint16_t>(at);
  }
  for (std::uint32_t half = 1; half < size; half *= 2) {  // merges sorted halves
    const std::uint32_t in_half = threadIdx.x & (half - 1);
    __syncthreads();
    const std::uint32_t pair = 2 * threadIdx.x - in_half;
    order(pair, pair + half);
    for (std::uint32_t stride = half / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const std::uint32_t at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      if (in_half >= stride) order(at - stride, at);
    }
  }
  __syncthreads();
  store_in_order(tile, tile.count, keys, from);
}

/// Preset `tuned`: merges runs that threads have sorted in registers.
template <class Word, class Tile>
__device__ __forceinline__ void sort_tile_by_merging(const Tile& tile) {
  constexpr bool kStable = kHasValue<typename Tile::Value>;
  constexpr int kItems = kPathItems<Word>;
  extern __shared__ uint4 shared[];
  auto* const keys = reinterpret_cast<Word*>(shared);
  auto* const places = reinterpret_cast<std::uint16_t*>(keys + blockDim.x * kItems + kOverread);
  block_merge_sort<kItems, kStable>(keys, places, tile.count, [&](std::uint32_t at) { return tile.load(at); });
  store_in_order(tile, tile.count, keys, places);
}

/// Shared memory of a block, in bytes.
template <class Word>
std::uint32_t tile_sort_bytes(const Shape& shape, bool stable) {
  const std::uint32_t overread = by_splitters(shape.method) ? 0 : kOverread;
  return static_cast<std::uint32_t>((shape.tile + overread) * sizeof(Word) +
                                    (stable ? shape.tile * sizeof(std::uint16_t) : 0));
}

}  // namespace sortlab::gpu_merge
