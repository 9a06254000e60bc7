// The split of Satish et al. as published: a block sorts a tile in shared memory by one bit at a time, each time with a
// prefix sum over the keys whose bit is 0 (IPDPS 2009, section 4; 2010, section 2.1: "vertical").
#pragma once

#include "algorithms/common/cuda/key_order.cuh"

namespace sortlab {

inline constexpr int kWarp = 32;

/// Position of element `i` of a tile in shared memory. A thread's elements are neighbours, so threads that read their
/// i-th at the same time access words kItems apart: without bank conflicts if that is odd, and by padding if it is
/// even.
template <int kItems>
__host__ __device__ constexpr std::uint32_t tile_slot(std::uint32_t i) {
  return kItems % 2 != 0 ? i : i + i / kWarp;
}

struct BlockSum {
  std::uint32_t before;  ///< sum over the preceding threads
  std::uint32_t total;
};

/// Number of words of shared memory that block_sum needs.
__host__ __device__ constexpr std::uint32_t block_sum_words(std::uint32_t threads) {
  return threads + threads / kWarp;
}

/// Prefix sum over a block: in each warp by doubling steps through shared memory, as before shuffles existed, then over
/// the warps. The caller must reach a barrier before it calls again.
inline __device__ BlockSum block_sum(std::uint32_t mine, std::uint32_t* words) {
  const std::uint32_t lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  std::uint32_t* const totals = words + blockDim.x;
  std::uint32_t sum = mine;
  words[threadIdx.x] = sum;
  for (std::uint32_t step = 1; step < kWarp; step *= 2) {
    __syncwarp();
    if (lane >= step) sum += words[threadIdx.x - step];
    __syncwarp();
    words[threadIdx.x] = sum;
  }
  if (lane == kWarp - 1) totals[warp] = sum;
  __syncthreads();
  BlockSum result{.before = sum - mine, .total = 0};
  for (std::uint32_t other = 0; other < blockDim.x / kWarp; ++other) {
    if (other < warp) result.before += totals[other];
    result.total += totals[other];
  }
  return result;
}

/// Stable sort of a tile of kItems elements per thread by one digit. The tile lies at tile_slot<kItems>; `values` is
/// not used for NoValue. Begins after a barrier and ends with one.
template <int kItems, class Word, class V>
__device__ void split_tile(Word* keys, V* values, std::uint32_t* words, const Digit<Word>& digit) {
  constexpr bool kPairs = !std::is_same_v<V, NoValue>;
  const std::uint32_t first = threadIdx.x * kItems;
  for (int bit = 0; bit < digit.bits(); ++bit) {
    Word key[kItems];
    V value[kItems];
    std::uint32_t is_one = 0;  // one bit per element
    std::uint32_t zeros = 0;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      key[i] = keys[tile_slot<kItems>(first + i)];
      if constexpr (kPairs) value[i] = values[tile_slot<kItems>(first + i)];
      const std::uint32_t one = digit(key[i]) >> bit & 1;
      is_one |= one << i;
      zeros += 1 - one;
    }
    // Its barrier: all threads have read before anything is overwritten
    const auto [before, total] = block_sum(zeros, words);
    std::uint32_t zero_at = before, one_at = total + first - before;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const std::uint32_t to = tile_slot<kItems>((is_one >> i & 1) != 0 ? one_at++ : zero_at++);
      keys[to] = key[i];
      if constexpr (kPairs) values[to] = value[i];
    }
    __syncthreads();
  }
}

/// Copies `count` elements of a tile from memory, and pads the tile with largest keys.
template <int kItems, class Keys, class Values, class Word, class V>
__device__ void load_tile(Keys from_keys, Values from_values, std::uint32_t count, Word* keys, V* values,
                          const Digit<Word>& digit) {
  // All loads of a thread are in flight before it stores the first; the compiler would wait for each.
  Word key[kItems];
  V value[kItems];
  const auto each = [&](const auto& f) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) f(i, i * blockDim.x + threadIdx.x);
  };
  each([&](int i, std::uint32_t at) {
    key[i] = at < count ? from_keys[at] : digit.last_key();
    if constexpr (!std::is_same_v<V, NoValue>) {
      if (at < count) value[i] = from_values[at];
    }
  });
  each([&](int i, std::uint32_t at) {
    keys[tile_slot<kItems>(at)] = key[i];
    if constexpr (!std::is_same_v<V, NoValue>) values[tile_slot<kItems>(at)] = value[i];
  });
}

}  // namespace sortlab
