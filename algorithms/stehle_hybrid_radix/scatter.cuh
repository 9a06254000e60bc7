// Scatters the keys of each block into their sub-buckets: they are partitioned in shared memory first, then written run
// by run to space that the block reserves in each sub-bucket by one atomic addition (section 4.4).
#pragma once

#include "algorithms/stehle_hybrid_radix/pass.cuh"

namespace sortlab::hybrid_radix {

/// Shared memory of a block: keys, and values in their place or beside them. Then per digit the difference of output
/// position and staged position (modulo 2^32 or 2^64), and the staging position of the next key.
template <class Word, class V, class Offset, bool kBeside>
struct Stage {
  Word* keys;
  V* values;
  Offset* bases;
  std::uint32_t* places;

  __device__ Stage(uint4* shared, std::uint32_t block_keys, std::uint32_t digits) {
    const auto padded = [block_keys](std::size_t width) { return (block_keys * width + 15) / 16 * 16; };
    constexpr std::size_t value_bytes = kHasValue<V> ? sizeof(V) : 0;
    auto* const begin = reinterpret_cast<std::byte*>(shared);
    auto* const beside = begin + padded(sizeof(Word));
    auto* const end = kBeside ? beside + padded(value_bytes) : begin + padded(max(sizeof(Word), value_bytes));
    keys = reinterpret_cast<Word*>(begin);
    values = reinterpret_cast<V*>(kBeside ? beside : begin);
    bases = reinterpret_cast<Offset*>(end);
    places = reinterpret_cast<std::uint32_t*>(bases + digits);
  }
};

/// Calls `stage(i, place)` with the staging position of each of a thread's keys. A position costs an atomic addition;
/// with look-ahead one addition serves up to three consecutive keys that share their digit. `digit(i)` is kNone if
/// there is no key.
inline constexpr std::uint32_t kNone = ~0U;
template <bool kLookAhead, int kItems, class DigitOf, class StageKey>
__device__ void find_places(std::uint32_t* places, const DigitOf& digit, const StageKey& stage) {
  std::uint32_t place = 0, reserved = 0;
  std::uint32_t following[2] = {digit(0), kItems > 1 ? digit(1) : kNone};
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const std::uint32_t mine = following[0];
    following[0] = following[1];
    following[1] = i + 2 < kItems ? digit(i + 2) : kNone;
    if (mine == kNone) continue;
    if (!kLookAhead || reserved == 0) {
      reserved = !kLookAhead || following[0] != mine ? 1 : following[1] != mine ? 2 : 3;
      place = atomicAdd(places + mine, reserved);
    }
    stage(i, place);
    ++place;
    --reserved;
  }
}

/// Counts the block's histogram again if none was kept.
template <int kItems, class DigitOf>
__device__ void count_again(std::uint32_t* counts, std::uint32_t digits, const DigitOf& digit) {
  for (std::uint32_t d = threadIdx.x; d < digits; d += blockDim.x) counts[d] = 0;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (digit(i) != kNone) atomicAdd(counts + digit(i), 1U);
  }
  __syncthreads();
}

/// Data of a block that a thread block prefetches before loading its keys.
template <class Offset>
struct Upcoming {
  BlockAssignment<Offset> block;
  std::uint32_t count;  ///< count of this thread's digit
  Offset reserved;      ///< reserved position in its sub-bucket
};

/// Reserves space for `count` keys of this thread's digit, in the sub-bucket's free space.
template <class Word, class V, class Offset>
__device__ Offset reserve(const Pass<Word, V, Offset>& pass, std::uint32_t bucket, std::uint32_t count) {
  if (count == 0) return 0;
  Offset* const free = pass.tables.bucket_counts + std::uint64_t{bucket} * pass.digits() + threadIdx.x;
  return atomicAdd(free, Offset{0} - count) - count;
}

/// Scatters one block, and prefetches the data of block `next`, if any, while it writes. `kFull`: each thread has all
/// its keys.
template <bool kFull, int kThreads, int kItems, bool kMaps, bool kBeside, class Word, class V, class Offset>
__device__ void scatter_block(const Pass<Word, V, Offset>& pass, Upcoming<Offset>& upcoming, std::uint32_t next,
                              bool has_next, const Stage<Word, V, Offset, kBeside>& stage, std::uint32_t* warps) {
  const BlockAssignment<Offset> block = upcoming.block;
  constexpr bool kReused = kHasValue<V> && !kBeside;
  const std::uint32_t digits = pass.digits(), d = threadIdx.x;
  const auto position = [](int i) { return threadIdx.x + i * kThreads; };
  const auto has = [&](int i) { return kFull || position(i) < block.count; };
  Word keys[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (has(i)) keys[i] = pass.keys[block.keys + position(i)];
  }

  V values[kHasValue<V> ? kItems : 1];
  const auto load_values = [&] {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (has(i)) values[i] = pass.values[block.keys + position(i)];
    }
  };
  if constexpr (kHasValue<V> && kBeside) load_values();

  const auto digit = [&](int i) { return has(i) ? pass.digit(pass.template mapped<kMaps>(keys[i])) : kNone; };
  if (!pass.keeps) {
    count_again<kItems>(stage.places, digits, digit);
    upcoming.count = d < digits ? stage.places[d] : 0;
    upcoming.reserved = reserve(pass, block.bucket, upcoming.count);
  }
  const std::uint32_t count = upcoming.count;
  const Offset reserved = upcoming.reserved;
  const bool hot = __syncthreads_or(pass.look_ahead && count > block.count / kHotShare) != 0;
  std::uint32_t all;
  const std::uint32_t first = exclusive_sum(count, all, warps);
  if (d < digits) {
    stage.bases[d] = reserved - first;
    stage.places[d] = first;
  }
  __syncthreads();

  std::uint16_t at[kReused ? kItems : 1];
  const auto stage_key = [&](int i, std::uint32_t place) {
    stage.keys[place] = pass.template mapped<kMaps>(keys[i]);
    if constexpr (kReused) at[i] = static_cast<std::uint16_t>(place);
    if constexpr (kHasValue<V> && kBeside) stage.values[place] = values[i];
  };
  if (hot) {
    find_places<true, kItems>(stage.places, digit, stage_key);
  } else {
    find_places<false, kItems>(stage.places, digit, stage_key);
  }
  if constexpr (kReused) load_values();  // in flight while the keys are written
  if (has_next) {
    upcoming.block = pass.blocks()[next];
    upcoming.count = pass.keeps && d < digits ? pass.tables.block_counts[std::uint64_t{next} * digits + d] : 0;
  }
  __syncthreads();

  Offset to[kReused ? kItems : 1];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (!has(i)) continue;
    const Word key = stage.keys[position(i)];
    const Offset out = stage.bases[pass.digit(key)] + position(i);
    pass.keys_out[out] = pass.template restored<kMaps>(key);
    if constexpr (kReused) to[i] = out;
    if constexpr (kHasValue<V> && kBeside) pass.values_out[out] = stage.values[position(i)];
  }
  if constexpr (kReused) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (has(i)) stage.values[at[i]] = values[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (has(i)) pass.values_out[to[i]] = stage.values[position(i)];
    }
  }
  if (has_next) upcoming.reserved = reserve(pass, upcoming.block.bucket, upcoming.count);
  __syncthreads();
}

template <int kThreads, int kItems, bool kBeside, bool kMaps, class Word, class V, class Offset>
__global__ void __launch_bounds__(kThreads, kThreads <= 512 ? 2 : 1) scatter(Pass<Word, V, Offset> pass) {
  extern __shared__ uint4 shared[];
  __shared__ std::uint32_t warps[kThreads / kWarp];
  const std::uint32_t blocks = pass.state().blocks;
  const Stage<Word, V, Offset, kBeside> stage{shared, pass.block_keys, pass.digits()};
  if (blockIdx.x >= blocks) return;
  Upcoming<Offset> upcoming{.block = pass.blocks()[blockIdx.x], .count = 0, .reserved = 0};
  if (pass.keeps && threadIdx.x < pass.digits()) {
    upcoming.count = pass.tables.block_counts[std::uint64_t{blockIdx.x} * pass.digits() + threadIdx.x];
    upcoming.reserved = reserve(pass, upcoming.block.bucket, upcoming.count);
  }
  for (std::uint32_t b = blockIdx.x; b < blocks; b += gridDim.x) {
    const std::uint32_t next = b + gridDim.x;
    if (upcoming.block.count == kThreads * kItems) {
      scatter_block<true, kThreads, kItems, kMaps>(pass, upcoming, next, next < blocks, stage, warps);
    } else {
      scatter_block<false, kThreads, kItems, kMaps>(pass, upcoming, next, next < blocks, stage, warps);
    }
  }
}

}  // namespace sortlab::hybrid_radix
