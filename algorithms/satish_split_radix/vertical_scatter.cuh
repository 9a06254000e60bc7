// Step 3 as published: a block of warps sorts a tile in shared memory by 1-bit splits with vertical scans, and scatters
// each digit's run.
#pragma once

#include "algorithms/common/cuda/tile_split.cuh"
#include "algorithms/satish_split_radix/pass.cuh"
#include "core/cuda/occupancy.hpp"

namespace sortlab::split_radix::vertical {

template <int kItems, class Word, class V>
struct VerticalTile {
  std::uint64_t* bases;
  Word* keys;
  V* values;
  std::uint32_t* starts;
  std::uint32_t* sums;

  static std::uint32_t bytes(std::uint32_t threads, std::uint32_t digits) {
    return tile_slot<kItems>(threads * kItems) * (sizeof(Word) + kValueBytes<V>)+block_sum_words(threads) *
               sizeof(std::uint32_t) +
           digits * (sizeof(*bases) + sizeof(*starts));
  }
  __device__ VerticalTile(void* shared, std::uint32_t digits) {
    const std::uint32_t slots = tile_slot<kItems>(blockDim.x * kItems);
    keys = static_cast<Word*>(shared);
    values = reinterpret_cast<V*>(keys + slots);
    bases = reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(values) + slots * kValueBytes<V>);
    starts = reinterpret_cast<std::uint32_t*>(bases + digits);
    sums = starts + digits;
  }
};

template <int kItems, class Word, class V, class Memory>
__global__ void __launch_bounds__(kMaxThreads) scatter_tiles(Pass<Word, V, Memory> pass) {
  extern __shared__ uint4 shared[];
  const VerticalTile<kItems, Word, V> tile(shared, pass.digit.count());
  const std::uint32_t size = blockDim.x * kItems, count = pass.tile_count(blockIdx.x, size);
  const std::uint64_t first = std::uint64_t{blockIdx.x} * size;

  load_tile<kItems>(pass.keys + first, pass.values + first, count, tile.keys, tile.values, pass.digit);
  if (threadIdx.x < kWarp) find_places(pass, blockIdx.x, tile.bases, tile.starts);
  __syncthreads();
  split_tile<kItems>(tile.keys, tile.values, tile.sums, pass.digit);
  for (std::uint32_t at = threadIdx.x; at < count; at += blockDim.x) {
    const Word key = tile.keys[tile_slot<kItems>(at)];
    const std::uint64_t to = tile.bases[pass.digit(key)] + at;
    pass.keys_out[to] = key;
    if constexpr (kHasValue<V>) pass.values_out[to] = tile.values[tile_slot<kItems>(at)];
  }
}

template <int kItems, class Word, class V, class Memory>
void launch(const Pass<Word, V, Memory>& pass, const Shape& shape, cudaStream_t stream) {
  const auto threads = static_cast<std::uint32_t>(shape.warps * kWarp);
  const std::uint32_t bytes = VerticalTile<kItems, Word, V>::bytes(threads, pass.digit.count());
  const auto kernel = scatter_tiles<kItems, Word, V, Memory>;
  allow_shared_memory(kernel, bytes);
  kernel<<<grid_size(shape, pass.tiles), threads, bytes, stream>>>(pass);
  check_launch();
}

}  // namespace sortlab::split_radix::vertical
