// Moves the keys of each block into their sub-buckets: partitioned in shared memory first, then written run by run to
// space that the block reserves in each sub-bucket by one atomic addition (section 4.4).
#pragma once

#include "algorithms/stehle_hybrid_radix/pass.cuh"

namespace sortlab::hybrid_radix {

/// Shared memory of a block: staged keys, and in their place staged values; then for each digit what to add to a staged
/// key's place for its place in the output (modulo 2^32 or 2^64), and where the next key is staged.
template <class Word, class V, class Offset>
struct Stage {
  Word* keys;
  V* values;
  Offset* bases;
  std::uint32_t* places;

  __device__ Stage(uint4* shared, std::uint32_t block_keys, std::uint32_t digits) {
    constexpr std::uint32_t width = kHasValue<V> && sizeof(V) > sizeof(Word) ? sizeof(V) : sizeof(Word);
    auto* const bytes = reinterpret_cast<std::byte*>(shared);
    keys = reinterpret_cast<Word*>(bytes);
    values = reinterpret_cast<V*>(bytes);
    bases = reinterpret_cast<Offset*>(bytes + (block_keys * width + 15) / 16 * 16);
    places = reinterpret_cast<std::uint32_t*>(bases + digits);
  }
};

/// Places of a thread's keys in the stage. Without look-ahead one addition a key; with it one for up to three in a row
/// that share their digit.
template <bool kLookAhead, int kItems, class Pass, class Word>
__device__ void place_keys(const Pass& pass, const Word (&keys)[kItems], std::uint32_t count, std::uint32_t* places,
                           Word* staged, std::uint16_t (&at)[kItems]) {
  std::uint32_t digits[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    digits[i] = threadIdx.x + i * blockDim.x < count ? pass.digit(keys[i]) : ~0U;
  }
  std::uint32_t place = 0, reserved = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (digits[i] == ~0U) continue;
    if constexpr (kLookAhead) {
      if (reserved == 0) {
        reserved = 1;
        if (i + 1 < kItems && digits[i + 1 < kItems ? i + 1 : i] == digits[i]) {
          reserved = i + 2 < kItems && digits[i + 2 < kItems ? i + 2 : i] == digits[i] ? 3 : 2;
        }
        place = atomicAdd(places + digits[i], reserved);
      }
      --reserved;
    } else {
      place = atomicAdd(places + digits[i], 1U);
    }
    staged[place] = keys[i];
    at[i] = static_cast<std::uint16_t>(place);
    ++place;
  }
}

template <int kItems, class Word, class V, class Offset>
__global__ void scatter(Pass<Word, V, Offset> pass) {
  extern __shared__ uint4 shared[];
  __shared__ std::uint32_t warps[kMostThreads / kWarp];
  const std::uint32_t digits = pass.digits(), blocks = pass.state().blocks, d = threadIdx.x;
  const Stage<Word, V, Offset> stage{shared, pass.block_keys, digits};
  for (std::uint32_t b = blockIdx.x; b < blocks; b += gridDim.x) {
    const BlockAssignment<Offset> block = pass.blocks()[b];
    const auto has = [&](int i) { return threadIdx.x + i * blockDim.x < block.count; };
    Word keys[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (has(i)) keys[i] = pass.in.ordered(pass.keys[block.keys + threadIdx.x + i * blockDim.x]);
    }

    const std::uint32_t count = d < digits ? pass.tables.block_counts[std::uint64_t{b} * digits + d] : 0;
    Offset reserved = 0;
    if (count > 0) {
      reserved =
          atomicAdd(pass.tables.bucket_counts + std::uint64_t{block.bucket} * digits + d, Offset{0} - count) - count;
    }
    const bool hot = __syncthreads_or(pass.look_ahead && count > block.count / kHotShare) != 0;
    std::uint32_t all;
    const std::uint32_t first = exclusive_sum(count, all, warps);
    if (d < digits) {
      stage.bases[d] = reserved - first;
      stage.places[d] = first;
    }
    __syncthreads();

    std::uint16_t at[kItems];
    if (hot) {
      place_keys<true>(pass, keys, block.count, stage.places, stage.keys, at);
    } else {
      place_keys<false>(pass, keys, block.count, stage.places, stage.keys, at);
    }
    __syncthreads();

    Offset to[kItems];
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const std::uint32_t place = threadIdx.x + i * blockDim.x;
      if (!has(i)) continue;
      const Word key = stage.keys[place];
      const Offset out = stage.bases[pass.digit(key)] + place;
      pass.keys_out[out] = pass.out.restored(key);
      if constexpr (kHasValue<V>) to[i] = out;
    }
    if constexpr (kHasValue<V>) {
      V values[kItems];
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (has(i)) values[i] = pass.values[block.keys + threadIdx.x + i * blockDim.x];
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (has(i)) stage.values[at[i]] = values[i];
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (has(i)) pass.values_out[to[i]] = stage.values[threadIdx.x + i * blockDim.x];
      }
    }
    __syncthreads();
  }
}

}  // namespace sortlab::hybrid_radix
