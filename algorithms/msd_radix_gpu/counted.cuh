// Sorts a bucket of keys of 32 bits alone, of which at most 16 bits are left, by counting them: eight counters of four
// bits a word are enough to know where each key goes. Where one overflows, counters have 16 bits.
#pragma once

#include "algorithms/msd_radix_gpu/bucket.cuh"

namespace sortlab::msd_gpu {

inline constexpr int kCountedBlocks = 3;  ///< on a multiprocessor
inline constexpr Shape kCountedShape = class_shape(1, 4, 0);

struct CountedStage {
  static constexpr std::uint32_t kWords = (1U << kCountedBits) / 8;
  static constexpr std::uint32_t kOfThread = kWords / kThreads;
  static constexpr std::uint32_t kBytes = kWords * 6 + kCountedShape.elements() * 2;

  std::uint32_t* counts;    ///< eight counters a word
  std::uint16_t* prefixes;  ///< of a word: keys before
  std::uint16_t* keys;      ///< sorted: the bits that are left of them

  __device__ explicit CountedStage(uint4* shared)
      : counts(reinterpret_cast<std::uint32_t*>(shared)),
        prefixes(reinterpret_cast<std::uint16_t*>(counts + kWords)),
        keys(prefixes + kWords) {}

  /// Where the word of a value lies. A thread sums up 16 words in a row, four at once: threads side by side, which then
  /// are 16 words apart, meet in no bank.
  __device__ static std::uint32_t slot(std::uint32_t word) { return word ^ (word >> 2 & 0x1C); }
};

/// The sum of the eight counters of a word.
__device__ inline std::uint32_t sum_of_counters(std::uint32_t word) {
  return ((word & 0x0F0F0F0F) + (word >> 4 & 0x0F0F0F0F)) * 0x01010101U >> 24;
}

/// False, with nothing written to memory, where a counter overflows.
__device__ inline bool sort_counted_bucket(const Arrays<std::uint32_t, NoValue>& arrays, const Bucket& bucket,
                                           const CountedStage& stage, std::uint32_t* warps) {
  constexpr int kItems = kCountedShape.items;
  const std::uint32_t count = bucket.count;
  const std::uint32_t mask = (1U << bucket.left) - 1;
  const bool maps = arrays.order.flip != 0;
  const std::uint32_t* const keys_in = arrays.keys_on(bucket.side) + bucket.begin;
  std::uint32_t* const keys_out = arrays.keys[0] + bucket.begin;
  const auto place_of = [](int i) { return threadIdx.x + static_cast<std::uint32_t>(i) * kThreads; };
  const auto has = [&](int i) { return place_of(i) < count; };

  std::uint32_t values[kItems];  // of the bits that are left; from bit 16 on, how many equal ones were counted before
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (has(i)) values[i] = keys_in[place_of(i)];
  }
  std::uint32_t first = keys_in[0];
  if (maps) {
    first = arrays.order.ordered(first);
#pragma unroll
    for (int i = 0; i < kItems; ++i) values[i] = arrays.order.ordered(values[i]);
  }
  auto* const counts4 = reinterpret_cast<uint4*>(stage.counts);
#pragma unroll
  for (std::uint32_t w = 0; w < CountedStage::kWords / 4 / kThreads; ++w) counts4[w * kThreads + threadIdx.x] = {};
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (static_cast<std::uint32_t>(i) * kThreads >= count) break;
    if (!has(i)) continue;
    const std::uint32_t value = values[i] & mask, at = value % 8 * 4;
    const std::uint32_t before = atomicAdd(stage.counts + CountedStage::slot(value / 8), 1U << at);
    values[i] = value | (before >> at & 0xF) << 16;
  }
  __syncthreads();
  std::uint32_t sums[CountedStage::kOfThread];
  std::uint32_t mine = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < CountedStage::kOfThread; k += 4) {
    const uint4 four = counts4[CountedStage::slot(threadIdx.x * CountedStage::kOfThread + k) / 4];
    sums[k] = sum_of_counters(four.x);
    sums[k + 1] = sum_of_counters(four.y);
    sums[k + 2] = sum_of_counters(four.z);
    sums[k + 3] = sum_of_counters(four.w);
    mine += sums[k] + sums[k + 1] + sums[k + 2] + sums[k + 3];
  }
  std::uint32_t all;
  std::uint32_t before = exclusive_sum(mine, all, warps);
  if (all != count) return false;  // an overflow takes 15 or 16 from the sum, and adds nothing
#pragma unroll
  for (std::uint32_t k = 0; k < CountedStage::kOfThread; ++k) {
    stage.prefixes[CountedStage::slot(threadIdx.x * CountedStage::kOfThread + k)] = static_cast<std::uint16_t>(before);
    before += sums[k];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (static_cast<std::uint32_t>(i) * kThreads >= count) break;
    if (!has(i)) continue;
    const std::uint32_t value = values[i] & 0xFFFF, slot = CountedStage::slot(value / 8);
    const std::uint32_t smaller = stage.counts[slot] & ((1U << value % 8 * 4) - 1);
    stage.keys[stage.prefixes[slot] + sum_of_counters(smaller) + (values[i] >> 16)] = static_cast<std::uint16_t>(value);
  }
  __syncthreads();
  const std::uint32_t above = first & ~mask;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (static_cast<std::uint32_t>(i) * kThreads >= count) break;
    if (!has(i)) continue;
    const std::uint32_t key = above | stage.keys[place_of(i)];
    keys_out[place_of(i)] = maps ? arrays.order.restored(key) : key;
  }
  return true;
}

/// The buckets of the class kCounted; those that are too long, or whose counters overflow, are left to
/// count_buckets.
__global__ static void __launch_bounds__(kThreads, kCountedBlocks)
    sort_counted(Arrays<std::uint32_t, NoValue> arrays, Lists lists) {
  extern __shared__ uint4 shared_bytes[];
  __shared__ std::uint32_t warps[kThreads / kWarp];
  const CountedStage stage{shared_bytes};
  const std::uint32_t buckets = lists.state->buckets[kCounted];
  for (std::uint32_t b = blockIdx.x; b < buckets; b += gridDim.x) {
    const Bucket bucket = lists.buckets_of(kCounted)[b];
    const bool fits = bucket.count <= kCountedShape.elements();
    if (!(fits && sort_counted_bucket(arrays, bucket, stage, warps)) && threadIdx.x == 0) {
      lists.overflows[atomicAdd(&lists.state->overflows, 1U)] = b;
    }
    __syncthreads();
  }
}

}  // namespace sortlab::msd_gpu
