// State of one counting pass, shared by its kernels.
#pragma once

#include <type_traits>

#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/stehle_hybrid_radix/lists.hpp"
#include "core/cuda/check.hpp"

namespace sortlab::hybrid_radix {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kListThreads = 256;  ///< threads of a block that makes lists: one per digit

template <class V>
inline constexpr bool kHasValue = !std::is_same_v<V, NoValue>;

/// A counting pass. Between passes keys are stored as unsigned integers of the same order (section 4.6).
template <class Word, class V, class Offset>
struct Pass {
  const Word* keys;
  const V* values;
  Word* keys_out;
  V* values_out;
  Tables<Offset> tables;
  KeyOrder<Word> in;   ///< maps keys as read: the identity after the first pass
  KeyOrder<Word> out;  ///< maps keys back as written: the identity before the last pass
  int number;
  int shift;  ///< bits below the digit
  int bits;   ///< width of the digit
  std::uint32_t block_keys;
  bool look_ahead;
  bool keeps;  ///< true if block histograms are kept

  __host__ __device__ std::uint32_t digits() const { return 1U << bits; }
  /// Maps a key as read; the identity except in the first pass of signed and floating keys.
  template <bool kMaps>
  __device__ Word mapped(Word key) const {
    return kMaps ? in.ordered(key) : key;
  }
  template <bool kMaps>
  __device__ Word restored(Word key) const {
    return kMaps ? out.restored(key) : key;
  }
  /// Digit of a mapped key.
  __device__ std::uint32_t digit(Word key) const { return static_cast<std::uint32_t>(key >> shift) & (digits() - 1); }
  __device__ PassState& state() const { return tables.states[number]; }
  __device__ PassState& next() const { return tables.states[number + 1]; }
  __device__ BlockAssignment<Offset>* blocks() const { return tables.blocks[number % 2]; }
  __device__ BlockAssignment<Offset>* next_blocks() const { return tables.blocks[(number + 1) % 2]; }
};

/// Exclusive prefix sum of one number per thread over a block of kListThreads threads; `total` receives the sum.
template <class T>
__device__ T exclusive_sum(T mine, T& total, T* warps) {
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  T sum = mine;
#pragma unroll
  for (unsigned step = 1; step < kWarp; step *= 2) {
    const T other = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == kWarp - 1) warps[warp] = sum;
  __syncthreads();
  T before = 0;
  total = 0;
  for (unsigned w = 0; w < blockDim.x / kWarp; ++w) {
    if (w < warp) before += warps[w];
    total += warps[w];
  }
  __syncthreads();
  return before + sum - mine;
}

/// Calls `work(i)` with all threads of a block for the i below `count` that `wanted` selects. Blocks take equal
/// contiguous shares of i, and test them one per thread.
template <class Wanted, class Work>
__device__ void for_each_wanted(std::uint32_t count, const Wanted& wanted, const Work& work) {
  __shared__ std::uint32_t found;
  __shared__ std::uint32_t queue[kMaxThreads];
  const std::uint32_t share = min((count + gridDim.x - 1) / gridDim.x, blockDim.x);
  for (std::uint32_t first = blockIdx.x * share; first < count; first += gridDim.x * share) {
    __syncthreads();
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    const std::uint32_t i = first + threadIdx.x;
    if (threadIdx.x < share && i < count && wanted(i)) queue[atomicAdd(&found, 1U)] = i;
    __syncthreads();
    const std::uint32_t all = found;
    for (std::uint32_t q = 0; q < all; ++q) work(queue[q]);
  }
}

}  // namespace sortlab::hybrid_radix
