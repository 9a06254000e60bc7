// The kernels of a pass, except the scan.
#pragma once

#include "algorithms/common/cuda/global_memory.cuh"
#include "algorithms/common/cuda/tile_split.cuh"
#include "algorithms/satish_split_radix_2009/plan.hpp"

namespace sortlab::split_radix_2009 {

template <class Memory, class T>
using Source = typename Memory::template Source<T>;
template <class Memory, class T>
using Target = typename Memory::template Target<T>;

/// The tile of a block: elements `first` to `first + count`.
struct Tile {
  std::uint64_t first;
  std::uint32_t count;
  __device__ Tile(std::uint64_t n, std::uint32_t size)
      : first(std::uint64_t{blockIdx.x} * size),
        count(static_cast<std::uint32_t>(min(n - first, std::uint64_t{size}))) {}
};

template <class V>
__host__ __device__ constexpr std::uint32_t value_bytes() {
  return std::is_same_v<V, NoValue> ? 0 : sizeof(V);
}

/// Shared memory of each kernel, in bytes.
template <int kItems, class Word, class V>
constexpr std::uint32_t sort_tiles_bytes(std::uint32_t threads) {
  return tile_slot<kItems>(threads * kItems) * (sizeof(Word) + value_bytes<V>()) +
         block_sum_words(threads) * sizeof(std::uint32_t);
}
constexpr std::uint32_t find_offsets_bytes(std::uint32_t digits, std::uint32_t tile) {
  return 2 * digits * sizeof(std::uint32_t) + tile;
}
constexpr std::uint32_t scatter_runs_bytes(std::uint32_t digits) {
  return digits * sizeof(std::uint64_t);
}

/// Step 1: sorts each tile by the digit, in shared memory.
template <int kItems, class Word, class V, class Memory = GlobalMemory>
__global__ void __launch_bounds__(kMaxThreads)
    sort_tiles(Source<Memory, Word> keys, Source<Memory, V> values, Target<Memory, Word> keys_out,
               Target<Memory, V> values_out, std::uint64_t n, Digit<Word> digit) {
  extern __shared__ uint4 shared[];
  const std::uint32_t size = blockDim.x * kItems, slots = tile_slot<kItems>(size);
  auto* const tile_keys = reinterpret_cast<Word*>(shared);
  auto* const tile_values = reinterpret_cast<V*>(tile_keys + slots);
  auto* const sums = reinterpret_cast<std::uint32_t*>(reinterpret_cast<char*>(tile_values) + slots * value_bytes<V>());

  const Tile tile(n, size);
  load_tile<kItems>(keys + tile.first, values + tile.first, tile.count, tile_keys, tile_values, digit);
  __syncthreads();
  split_tile<kItems>(tile_keys, tile_values, sums, digit);
  for (std::uint32_t at = threadIdx.x; at < tile.count; at += blockDim.x) {
    keys_out[tile.first + at] = tile_keys[tile_slot<kItems>(at)];
    if constexpr (value_bytes<V>() != 0) values_out[tile.first + at] = tile_values[tile_slot<kItems>(at)];
  }
}

/// Step 2: a digit starts where it differs from its neighbour's. A tile of 512 x 16 keys has starts below 2^16.
template <class Word, class Memory = GlobalMemory>
__global__ void __launch_bounds__(kMaxThreads)
    find_offsets(Source<Memory, Word> keys, std::uint64_t n, std::uint32_t items, Digit<Word> digit,
                 Target<Memory, std::uint16_t> starts, Target<Memory, std::uint32_t> counts) {
  extern __shared__ std::uint32_t found[];  // start and end of each digit, and the digits of the tile
  const std::uint32_t digits = digit.count();
  std::uint32_t* const start = found;
  std::uint32_t* const end = start + digits;
  auto* const tile_digits = reinterpret_cast<std::uint8_t*>(end + digits);

  const Tile tile(n, blockDim.x * items);
  for (std::uint32_t at = threadIdx.x; at < tile.count; at += blockDim.x)
    tile_digits[at] = digit(keys[tile.first + at]);
  for (std::uint32_t d = threadIdx.x; d < 2 * digits; d += blockDim.x) found[d] = 0;
  __syncthreads();
  for (std::uint32_t at = threadIdx.x; at < tile.count; at += blockDim.x) {
    const unsigned d = tile_digits[at];
    if (at == 0 || tile_digits[at - 1] != d) start[d] = at;
    if (at + 1 == tile.count || tile_digits[at + 1] != d) end[d] = at + 1;
  }
  __syncthreads();
  for (std::uint32_t d = threadIdx.x; d < digits; d += blockDim.x) {
    starts[std::uint64_t{blockIdx.x} * digits + d] = static_cast<std::uint16_t>(start[d]);
    counts[std::uint64_t{d} * gridDim.x + blockIdx.x] = end[d] - start[d];
  }
}

/// The runs of all tiles' digits: starts in their tile, and offsets in the output.
template <class Memory>
struct Runs {
  Source<Memory, std::uint16_t> starts;
  Source<Memory, std::uint64_t> offsets;
};

/// Step 4: scatters the run of each digit of each tile.
template <class Word, class V, class Memory = GlobalMemory>
__global__ void __launch_bounds__(kMaxThreads)
    scatter_runs(Source<Memory, Word> keys, Source<Memory, V> values, Target<Memory, Word> keys_out,
                 Target<Memory, V> values_out, std::uint64_t n, std::uint32_t items, Digit<Word> digit,
                 Runs<Memory> runs) {
  extern __shared__ std::uint64_t base[];  // difference of output position and index in the tile, modulo 2^64
  const std::uint32_t digits = digit.count();
  for (std::uint32_t d = threadIdx.x; d < digits; d += blockDim.x) {
    base[d] =
        runs.offsets[std::uint64_t{d} * gridDim.x + blockIdx.x] - runs.starts[std::uint64_t{blockIdx.x} * digits + d];
  }
  __syncthreads();
  const Tile tile(n, blockDim.x * items);
#pragma unroll 4
  for (std::uint32_t at = threadIdx.x; at < tile.count; at += blockDim.x) {
    const Word key = keys[tile.first + at];
    const std::uint64_t to = base[digit(key)] + at;
    keys_out[to] = key;
    if constexpr (value_bytes<V>() != 0) values_out[to] = values[tile.first + at];
  }
}

}  // namespace sortlab::split_radix_2009
