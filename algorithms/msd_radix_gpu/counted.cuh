// Counting sort of a bucket of 32-bit keys without values that differ in at most 16 bits, with 4-bit counters, eight
// per word. If a counter overflows, the bucket is counted with 16-bit counters instead (counting.cuh).
#pragma once

#include "algorithms/msd_radix_gpu/bucket.cuh"

namespace sortlab::msd_gpu {

inline constexpr int kCountedBlocks = std::min(4, kResidentThreads / kThreads);  ///< blocks per multiprocessor
inline constexpr Shape kCountedShape = class_shape(1, 4, 0);

struct CountedStage {
  static constexpr std::uint32_t kWords = (1U << kCountedBits) / 8;
  static constexpr std::uint32_t kPerThread = kWords / kThreads;
  static constexpr std::uint32_t kVector = 4;  ///< keys per vector store
  static constexpr std::uint32_t kBytes = kWords * 4 + (kCountedShape.elements() + kVector) * 2;
  static_assert(kBytes <= kMaxDynamicBytes);

  std::uint32_t* counts;  ///< eight 4-bit counters per word
  std::uint16_t* keys;    ///< sorted keys: only their bits_left lowest bits

  __device__ explicit CountedStage(uint4* shared)
      : counts(reinterpret_cast<std::uint32_t*>(shared)), keys(reinterpret_cast<std::uint16_t*>(counts + kWords)) {}

  /// Index of a counter word. A thread sums 16 consecutive words, four at a time; the permutation avoids bank conflicts
  /// between neighbouring threads, which are 16 words apart.
  __device__ static std::uint32_t slot(std::uint32_t word) { return word ^ (word >> 2 & 0x1C); }
};

/// Sums the 4-bit counters of up to 16 words: even and odd counters apart, in four 8-bit sums each.
struct CounterSums {
  std::uint32_t even = 0, odd = 0;

  __device__ void add(std::uint32_t word) {
    even += word & 0x0F0F0F0F;
    odd += word >> 4 & 0x0F0F0F0F;
  }
  __device__ std::uint32_t sum() const {
    const std::uint32_t pairs =
        (even & 0x00FF00FF) + (even >> 8 & 0x00FF00FF) + (odd & 0x00FF00FF) + (odd >> 8 & 0x00FF00FF);
    return (pairs & 0xFFFF) + (pairs >> 16);
  }
};

__device__ inline std::uint32_t highest_bit(std::uint32_t word) {
  return 31 - static_cast<std::uint32_t>(__clz(static_cast<int>(word)));
}

/// Loads the next non-empty word from shared memory if `word` is 0. Written with predicates, since the compiler would
/// make it a divergent branch, which costs more than executing both sides.
__device__ inline void refill(std::uint32_t& word, std::uint32_t& filled, std::uint32_t& word_value,
                              std::uint32_t address, std::uint32_t filled_bit, std::uint32_t next_value) {
#ifdef __CUDA_ARCH__
  asm volatile(
      "{\n\t.reg .pred is_empty;\n\t"
      "setp.eq.u32 is_empty, %0, 0;\n\t"
      "@is_empty ld.shared.u32 %0, [%3];\n\t"
      "@is_empty xor.b32 %1, %1, %4;\n\t"
      "@is_empty mov.u32 %2, %5;\n\t}"
      : "+r"(word), "+r"(filled), "+r"(word_value)
      : "r"(address), "r"(filled_bit), "r"(next_value));
#else
  if (word != 0) return;
  word = *static_cast<const std::uint32_t*>(__cvta_shared_to_generic(address));
  filled ^= filled_bit;
  word_value = next_value;
#endif
}

/// Sorts one bucket; returns false, having written nothing to global memory, if a counter overflows.
__device__ inline bool sort_counted_bucket(const Arrays<std::uint32_t, NoValue>& arrays, const Bucket& bucket,
                                           const CountedStage& stage, std::uint32_t* warps) {
  const std::uint32_t count = bucket.count;
  std::uint32_t mask = (1U << bucket.bits_left) - 1;
  const std::uint32_t* const keys_in = arrays.keys_on(bucket.buffer) + bucket.begin;
  // All keys of the bucket have the same sign, so the mapping to sort order inverts the same bits of each.
  const std::uint32_t first = keys_in[0];
  std::uint32_t inverted = arrays.order.ordered(first) ^ first;
  forget(mask);
  forget(inverted);

  // Vector loads of 16 bytes place the keys of neighbouring lanes four apart: in a sorted input fewer lanes then hit
  // the same counter.
  const auto to_vectors = static_cast<std::uint32_t>(-(reinterpret_cast<std::uintptr_t>(keys_in) / 4) % 4);
  const std::uint32_t ahead = min(count, to_vectors), vectors = (count - ahead) / 4, behind = (count - ahead) % 4;
  const auto* next = reinterpret_cast<const uint4*>(keys_in + ahead) + threadIdx.x;
  uint4 four[2];
  const auto load = [&](std::uint32_t v) {
#pragma unroll
    for (std::uint32_t k = 0; k < 2; ++k) {
      if (v + k * kThreads < vectors) four[k] = next[k * kThreads];
    }
    next += 2 * kThreads;
  };
  load(threadIdx.x);
  auto* const counts4 = reinterpret_cast<uint4*>(stage.counts);
#pragma unroll
  for (std::uint32_t w = 0; w < CountedStage::kWords / 4 / kThreads; ++w) counts4[w * kThreads + threadIdx.x] = {};
  __syncthreads();
  const auto add = [&](std::uint32_t key) {
    const std::uint32_t value = (key ^ inverted) & mask;
    // The shift amount wraps: it is value % 8 * 4.
    atomicAdd(stage.counts + CountedStage::slot(value / 8), __funnelshift_l(0, 1, value * 4));
  };
  if (threadIdx.x < ahead) add(keys_in[threadIdx.x]);
  if (threadIdx.x < behind) add(keys_in[count - 1 - threadIdx.x]);
  for (std::uint32_t v = threadIdx.x; v < vectors; v += 2 * kThreads) {
#pragma unroll
    for (std::uint32_t k = 0; k < 2; ++k) {
      if (v + k * kThreads >= vectors) break;
      add(four[k].x);
      add(four[k].y);
      add(four[k].z);
      add(four[k].w);
    }
    load(v + 2 * kThreads);
  }
  __syncthreads();
  CounterSums sums;
  std::uint32_t filled = 0;  // one bit per non-zero word
#pragma unroll
  for (std::uint32_t k = 0; k < CountedStage::kPerThread; k += 4) {
    const uint4 counts = counts4[CountedStage::slot(threadIdx.x * CountedStage::kPerThread + k) / 4];
    const std::uint32_t words[] = {counts.x, counts.y, counts.z, counts.w};
#pragma unroll
    for (std::uint32_t w = 0; w < 4; ++w) {
      sums.add(words[w]);
      filled += min(words[w], 1U) << (k + w);
    }
  }
  const std::uint32_t mine = sums.sum();
  std::uint32_t all;
  const std::uint32_t before = exclusive_sum(mine, all, warps);
  if (all != count) return false;  // an overflow lowers the sum by 15 or 16

  // The counters determine the sorted keys: each thread writes the keys of its words, from the last to the first.
  std::uint32_t* const keys_out = arrays.keys[0] + bucket.begin;
  const auto head = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(keys_out) / 4 % CountedStage::kVector);
  const auto own_words = static_cast<std::uint32_t>(
      __cvta_generic_to_shared(stage.counts + CountedStage::slot(threadIdx.x * CountedStage::kPerThread)));
  const std::uint32_t max_keys = warp_max(mine);
  std::uint16_t* const own_keys = stage.keys + head + before;
  std::uint32_t word = 0, word_value = 0;
#pragma unroll 4
  for (std::uint32_t i = 1; i <= max_keys; ++i) {
    const std::uint32_t k = highest_bit(filled);
    refill(word, filled, word_value, own_words ^ (k * 4 & (CountedStage::kPerThread * 4 - 4)), __funnelshift_l(0, 1, k),
           (threadIdx.x * CountedStage::kPerThread + k) * 8);
    const std::uint32_t at = highest_bit(word) & 28U;
    word -= __funnelshift_l(0, 1, at);
    if (i <= mine) own_keys[mine - i] = static_cast<std::uint16_t>(word_value + at / 4);
  }
  __syncthreads();
  const std::uint32_t above = (first & ~mask) | (inverted & mask);
  const std::uint32_t end = head + count;
  for (std::uint32_t p = threadIdx.x * CountedStage::kVector; p < end; p += CountedStage::kVector * kThreads) {
    const uint2 values = *reinterpret_cast<const uint2*>(stage.keys + p);
    const uint4 sorted{(values.x & 0xFFFF) ^ above, values.x >> 16 ^ above, (values.y & 0xFFFF) ^ above,
                       values.y >> 16 ^ above};
    std::uint32_t* const out = keys_out - head + p;
    if (p >= head && p + CountedStage::kVector <= end) {
      __stcs(reinterpret_cast<uint4*>(out), sorted);
      continue;
    }
    if (p >= head) out[0] = sorted.x;
    if (p + 1 >= head && p + 1 < end) out[1] = sorted.y;
    if (p + 2 >= head && p + 2 < end) out[2] = sorted.z;
    if (p + 3 >= head && p + 3 < end) out[3] = sorted.w;
  }
  return true;
}

/// Sorts the buckets of the class kCounted. Buckets that are too long, or whose counters overflow, are left to
/// count_buckets.
__global__ static void __launch_bounds__(kThreads, kCountedBlocks)
    sort_counted(Arrays<std::uint32_t, NoValue> arrays, Lists lists) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared_bytes[];
  __shared__ std::uint32_t warps[kThreads / kWarp];
  const CountedStage stage{shared_bytes};
  const std::uint32_t buckets = lists.state->buckets[kCounted];
  for (std::uint32_t b = blockIdx.x; b < buckets; b += gridDim.x) {
    const Bucket bucket = lists.class_buckets(kCounted)[b];
    const bool fits = bucket.count <= kCountedShape.elements();
    if (!(fits && sort_counted_bucket(arrays, bucket, stage, warps)) && threadIdx.x == 0) {
      lists.overflows[atomicAdd(&lists.state->overflows, 1U)] = b;
    }
    __syncthreads();
  }
}

}  // namespace sortlab::msd_gpu
