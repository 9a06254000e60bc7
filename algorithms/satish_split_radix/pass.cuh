// Data of one pass, shared by its kernels.
#pragma once

#include "algorithms/common/cuda/global_memory.cuh"
#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/satish_split_radix/plan.hpp"
#include "core/cuda/check.hpp"

namespace sortlab::split_radix {

inline dim3 grid_size(const Shape& shape, std::uint64_t tiles) {
  return {shape.blocks(tiles), shape.times};
}

template <class Word, class V, class Memory = GlobalMemory>
struct Pass {
  typename Memory::template Source<Word> keys;
  typename Memory::template Source<V> values;
  typename Memory::template Target<Word> keys_out;
  typename Memory::template Target<V> values_out;
  std::uint64_t n;
  std::uint64_t tiles;
  typename Memory::template Target<std::uint32_t> counts;  ///< at digit * tiles + tile
  const std::uint64_t* offsets;  ///< their exclusive prefix sum, with one more entry at the end
  Digit<Word> digit;

  __device__ std::uint32_t tile_count(std::uint64_t tile, std::uint32_t size) const {
    return tile < tiles ? static_cast<std::uint32_t>(min(n - tile * size, std::uint64_t{size})) : 0;
  }
};

template <class V>
inline constexpr bool kHasValue = !std::is_same_v<V, NoValue>;
template <class V>
inline constexpr std::uint32_t kValueBytes = kHasValue<V> ? sizeof(V) : 0;

/// Computes a tile's offsets by one warp: `bases`, the difference of output position and index in the sorted tile
/// (modulo 2^64), and `starts`, the begin of each digit in the sorted tile.
template <class Word, class V, class Memory>
__device__ void find_places(const Pass<Word, V, Memory>& pass, std::uint64_t tile, std::uint64_t* bases,
                            std::uint32_t* starts) {
  const std::uint32_t lane = threadIdx.x % kWarp, digits = pass.digit.count();
  std::uint32_t before = 0;
  for (std::uint32_t first = 0; first < digits; first += kWarp) {
    const std::uint32_t d = first + lane;
    std::uint64_t offset = 0;
    std::uint32_t count = 0;
    if (d < digits) {
      const std::uint64_t* const at = pass.offsets + d * pass.tiles + tile;
      offset = at[0];
      count = static_cast<std::uint32_t>(at[1] - offset);
    }
    std::uint32_t sum = count;
#pragma unroll
    for (int step = 1; step < kWarp; step *= 2) {
      const std::uint32_t other = __shfl_up_sync(~0u, sum, step);
      if (lane >= step) sum += other;
    }
    if (d < digits) {
      starts[d] = before + sum - count;
      bases[d] = offset - starts[d];
    }
    before += __shfl_sync(~0u, sum, kWarp - 1);
  }
}

/// Step 3 according to Shape::split, for the items of plan.hpp. Throws std::logic_error for others.
template <class Word, class V>
void scatter_vertical(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream);
template <class Word, class V>
void scatter_by_ballots(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream);
template <class Word, class V>
void scatter_fused(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream);
template <class Word, class V>
void scatter_by_buffers(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream);

/// Instantiates `function` for all keys and values.
#define SORTLAB_FOR_KEYS_AND_VALUES(function)                                                    \
  template void function(const Pass<std::uint32_t, NoValue>&, const Shape&, cudaStream_t);       \
  template void function(const Pass<std::uint32_t, std::uint32_t>&, const Shape&, cudaStream_t); \
  template void function(const Pass<std::uint32_t, std::uint64_t>&, const Shape&, cudaStream_t); \
  template void function(const Pass<std::uint64_t, NoValue>&, const Shape&, cudaStream_t);       \
  template void function(const Pass<std::uint64_t, std::uint32_t>&, const Shape&, cudaStream_t); \
  template void function(const Pass<std::uint64_t, std::uint64_t>&, const Shape&, cudaStream_t); \
  template void function(const Pass<uint128, NoValue>&, const Shape&, cudaStream_t);             \
  template void function(const Pass<uint128, std::uint32_t>&, const Shape&, cudaStream_t);       \
  template void function(const Pass<uint128, std::uint64_t>&, const Shape&, cudaStream_t)

}  // namespace sortlab::split_radix
