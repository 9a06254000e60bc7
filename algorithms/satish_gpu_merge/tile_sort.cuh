// How a block sorts a tile. Networks are not stable: where `kStable`, of equal keys the one that came first in the tile
// counts as less. A `Tile` has the key load(at) of each of its elements, of which the first `count` are not mere
// filling with the largest key; if kStable, the value(at) of each, of the type Value; and store(at, key, value) for the
// one that comes to be `at`.
#pragma once

#include "algorithms/satish_gpu_merge/merge_sort.cuh"

namespace sortlab::gpu_merge {

/// Paper, by half as many threads as elements, a power of two: each step compares neighbours at a distance.
template <class Word, class Tile>
__device__ __forceinline__ void sort_tile_by_network(const Tile& tile) {
  constexpr bool kStable = kHasValue<typename Tile::Value>;
  extern __shared__ uint4 shared[];
  const std::uint32_t size = 2 * blockDim.x;
  auto* const keys = reinterpret_cast<Word*>(shared);
  auto* const from = reinterpret_cast<std::uint16_t*>(keys + size);
  const auto order = [&](std::uint32_t low, std::uint32_t high) {
    const Word a = keys[low], b = keys[high];
    bool exchange = b < a;
    if constexpr (kStable) {
      const std::uint16_t from_a = from[low], from_b = from[high];
      exchange |= a == b && from_b < from_a;
      if (exchange) {
        from[low] = from_b;
        from[high] = from_a;
      }
    }
    if (exchange) {
      keys[low] = b;
      keys[high] = a;
    }
  };

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

/// Calls `f(low, high)` for each comparator of Batcher's network for any number of inputs (Knuth, The Art of Computer
/// Programming 3, algorithm 5.2.2 M).
template <class F>
constexpr void for_each_comparator(int inputs, const F& f) {
  for (int p = 1; p < inputs; p *= 2) {
    for (int k = p; k >= 1; k /= 2) {
      for (int j = k % p; j + k < inputs; j += 2 * k) {
        for (int i = j; i < j + k && i + k < inputs; ++i) {
          if (i / (2 * p) == (i + k) / (2 * p)) f(i, i + k);
        }
      }
    }
  }
}

template <int kInputs>
inline constexpr int kComparators = [] {
  int count = 0;
  for_each_comparator(kInputs, [&](int, int) { ++count; });
  return count;
}();

template <int kInputs>
struct Network {
  int low[kComparators<kInputs>];
  int high[kComparators<kInputs>];
};
template <int kInputs>
inline constexpr Network<kInputs> kNetwork = [] {
  Network<kInputs> network{};
  int next = 0;
  for_each_comparator(kInputs, [&](int low, int high) {
    network.low[next] = low;
    network.high[next++] = high;
  });
  return network;
}();

template <bool kStable, int kLow, int kHigh, class Word, int kItems>
__device__ void compare_exchange(Word (&key)[kItems], std::uint32_t (&from)[kItems]) {
  const Word a = key[kLow], b = key[kHigh];
  bool exchange = b < a;
  if constexpr (kStable) {
    const std::uint32_t from_a = from[kLow], from_b = from[kHigh];
    exchange |= a == b && from_b < from_a;
    from[kLow] = exchange ? from_b : from_a;
    from[kHigh] = exchange ? from_a : from_b;
  }
  key[kLow] = exchange ? b : a;
  key[kHigh] = exchange ? a : b;
}

template <bool kStable, class Word, int kItems, int... kIndex>
__device__ void sort_registers(Word (&key)[kItems], std::uint32_t (&from)[kItems],
                               std::integer_sequence<int, kIndex...>) {
  (compare_exchange<kStable, kNetwork<kItems>.low[kIndex], kNetwork<kItems>.high[kIndex]>(key, from), ...);
}

/// Each thread sorts its elements in registers; then runs are merged, pair by pair, to the whole tile.
template <class Word, class Tile>
__device__ __forceinline__ void sort_tile_by_merging(const Tile& tile) {
  constexpr bool kStable = kHasValue<typename Tile::Value>;
  constexpr int kItems = kPathItems<Word>;
  extern __shared__ uint4 shared[];
  const std::uint32_t size = blockDim.x * kItems;
  auto* const keys = reinterpret_cast<Word*>(shared);
  auto* const places = reinterpret_cast<std::uint16_t*>(keys + size + kOverread);

#pragma unroll
  for (int i = 0; i < kItems; ++i) keys[i * blockDim.x + threadIdx.x] = tile.load(i * blockDim.x + threadIdx.x);
  __syncthreads();
  const std::uint32_t first = threadIdx.x * kItems;
  Word key[kItems];
  std::uint32_t from[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    key[i] = keys[first + i];
    from[i] = first + i;
  }
  sort_registers<kStable>(key, from, std::make_integer_sequence<int, kComparators<kItems>>{});

  const auto store_run = [&] {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      keys[first + i] = key[i];
      if constexpr (kStable) places[first + i] = static_cast<std::uint16_t>(from[i]);
    }
    __syncthreads();
  };
  for (std::uint32_t threads = 1; threads < blockDim.x; threads *= 2) {
    store_run();
    const std::uint32_t run = threads * kItems;
    const std::uint32_t a = (threadIdx.x & ~(2 * threads - 1)) * kItems, b = a + run;
    const std::uint32_t diagonal = first - a;
    const std::uint32_t of_a = path_crossing(
        diagonal, run, run, [&](std::uint32_t i) { return keys[a + i]; }, [&](std::uint32_t i) { return keys[b + i]; });
    merge_from(keys, a + of_a, b, b + diagonal - of_a, b + run, key, from);
    if constexpr (kStable) {
#pragma unroll
      for (int i = 0; i < kItems; ++i) from[i] = places[from[i]];
    }
  }
  store_run();
  store_in_order(tile, tile.count, keys, places);
}

/// Bytes of shared memory that a block takes.
template <class Word>
std::uint32_t tile_sort_bytes(const Shape& shape, bool stable) {
  const std::uint32_t overread = shape.method == Method::ranks ? 0 : kOverread;
  return static_cast<std::uint32_t>((shape.tile + overread) * sizeof(Word) +
                                    (stable ? shape.tile * sizeof(std::uint16_t) : 0));
}

}  // namespace sortlab::gpu_merge
