// Data shared by the kernels of step 3 in which each warp sorts a tile of its own.
#pragma once

#include "algorithms/common/cuda/warp_lanes.cuh"
#include "algorithms/satish_split_radix/pass.cuh"
#include "core/cuda/occupancy.hpp"

namespace sortlab::split_radix {

/// Shared memory of a warp, in bytes; `rest` of it is for the kernel's own use.
template <class Word, class V>
__host__ __device__ constexpr std::uint32_t warp_tile_bytes(std::uint32_t size, std::uint32_t digits,
                                                            std::uint32_t rest) {
  return warp_tile_bytes(size, digits, sizeof(Word) + kValueBytes<V>, rest);
}

/// A warp's tile, and the warp's part of shared memory.
template <class Word, class V>
struct WarpTile {
  std::uint64_t number;
  std::uint64_t first;
  std::uint32_t count;  ///< 0 beyond the last tile
  Word* keys;
  V* values;
  std::uint64_t* bases;
  std::uint32_t* starts;
  void* rest;

  template <class Memory>
  __device__ WarpTile(void* shared, const Pass<Word, V, Memory>& pass, std::uint32_t size, std::uint32_t rest_bytes)
      : number(std::uint64_t{blockIdx.x} * (blockDim.x / kWarp) + threadIdx.x / kWarp),
        first(number * size),
        count(pass.tile_count(number, size)) {
    const std::uint32_t digits = pass.digit.count();
    char* const mine =
        static_cast<char*>(shared) + threadIdx.x / kWarp * warp_tile_bytes<Word, V>(size, digits, rest_bytes);
    keys = reinterpret_cast<Word*>(mine);
    values = reinterpret_cast<V*>(keys + size);
    bases = reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(values) + size * kValueBytes<V>);
    starts = reinterpret_cast<std::uint32_t*>(bases + digits);
    rest = starts + digits;
  }
};

/// An element of a sorted tile, and its position in the tile's shared memory.
template <class Word>
struct Found {
  Word key;
  unsigned digit;
  std::uint32_t at;
};

/// Writes a sorted tile; `find` returns its elements in order.
template <class Word, class V, class Memory, class Find>
__device__ void store_tile(const Pass<Word, V, Memory>& pass, const WarpTile<Word, V>& tile, const Find& find) {
  const auto store = [&](std::uint32_t at) {
    const Found<Word> found = find(at);
    const std::uint64_t to = tile.bases[found.digit] + at;
    pass.keys_out[to] = found.key;
    if constexpr (kHasValue<V>) pass.values_out[to] = tile.values[found.at];
  };
  constexpr std::uint32_t kRows = 8;
  std::uint32_t at = threadIdx.x % kWarp;
  for (; at + (kRows - 1) * kWarp < tile.count; at += kRows * kWarp) {
#pragma unroll
    for (std::uint32_t row = 0; row < kRows; ++row) store(at + row * kWarp);
  }
  for (; at < tile.count; at += kWarp) store(at);
}

/// Launches `kernel(pass, arguments…)` with shared memory for each warp's tile.
template <class Word, class V, class Memory, class... Arguments>
void launch_by_warps(void (*kernel)(Pass<Word, V, Memory>, Arguments...), const Pass<Word, V, Memory>& pass,
                     const Shape& shape, std::uint32_t rest, cudaStream_t stream, Arguments... arguments) {
  const auto warps = static_cast<std::uint32_t>(shape.warps);
  const std::uint32_t bytes = warps * warp_tile_bytes<Word, V>(shape.tile(), pass.digit.count(), rest);
  allow_shared_memory(kernel, bytes);
  kernel<<<grid_size(shape, pass.tiles), warps * kWarp, bytes, stream>>>(pass, arguments...);
  check_launch();
}

}  // namespace sortlab::split_radix
