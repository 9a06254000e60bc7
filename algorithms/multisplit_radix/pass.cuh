// Data of one multisplit, shared by its kernels.
#pragma once

#include "algorithms/common/cuda/global_memory.cuh"
#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/multisplit_radix/plan.hpp"
#include "core/cuda/check.hpp"

namespace sortlab::multisplit {

template <class V>
inline constexpr bool kHasValue = !std::is_same_v<V, NoValue>;
template <class V>
inline constexpr std::uint32_t kValueBytes = kHasValue<V> ? sizeof(V) : 0;

/// The keys, in tiles, and their counts. A bucket is a digit.
template <class Word, class Memory = GlobalMemory>
struct Tiles {
  typename Memory::template Source<Word> keys;
  std::uint64_t n;
  std::uint64_t tiles;
  typename Memory::template Target<std::uint32_t> counts;  ///< at bucket * tiles + tile
  Digit<Word> bucket;

  __device__ std::uint32_t tile_count(std::uint64_t tile, std::uint32_t size) const {
    return tile < tiles ? static_cast<std::uint32_t>(min(n - tile * size, std::uint64_t{size})) : 0;
  }
};

template <class Word, class V, class Memory = GlobalMemory>
struct Pass {
  Tiles<Word, Memory> input;
  typename Memory::template Source<V> values;
  typename Memory::template Target<Word> keys_out;
  typename Memory::template Target<V> values_out;
  const std::uint64_t* offsets;  ///< exclusive prefix sum of the counts
};

/// Step 1: counts the buckets of each tile. Throws std::logic_error for a shape without kernels, as step 3 does. Both
/// are compiled in keys32.cu and keys64.cu.
template <class Word>
void count_buckets(const Tiles<Word>& tiles, const Shape& shape, cudaStream_t stream);
/// Step 3: orders each tile by bucket and writes its runs.
template <class Word, class V>
void scatter(const Pass<Word, V>& pass, const Shape& shape, cudaStream_t stream);

}  // namespace sortlab::multisplit
