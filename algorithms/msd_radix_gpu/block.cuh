// Primitives shared by the kernels: launch dependency, element arrays, digit extraction, and sums over a warp or a
// block.
#pragma once

#include <type_traits>

#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/msd_radix_gpu/lists.hpp"

namespace sortlab::msd_gpu {

inline constexpr std::uint32_t kWarp = 32;
inline constexpr std::uint32_t kAllLanes = ~0U;

/// Maximum resident threads of a multiprocessor.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
inline constexpr int kResidentThreads = 1024;
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ / 10 % 10 == 0 && __CUDA_ARCH__ < 1100  // 8.0, 9.0, 10.0
inline constexpr int kResidentThreads = 2048;
#else
inline constexpr int kResidentThreads = 1536;
#endif

template <class V>
inline constexpr bool kHasValue = !std::is_same_v<V, NoValue>;
template <class V>
inline constexpr std::uint32_t kValueBytes = kHasValue<V> ? sizeof(V) : 0;

template <std::uint32_t elements>
inline constexpr int kLog2 = 1 + kLog2<elements / 2>;
template <>
inline constexpr int kLog2<1> = 0;

/// Lets the next kernel start, and waits until the previous one has finished. Every kernel launched by Launch begins
/// with it: blocks of the next kernel occupy a multiprocessor as soon as there is room, and wait there.
__device__ inline void wait_for_previous_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;\n\tgriddepcontrol.wait;" ::: "memory");
#endif
}

/// The two buffers of keys and of values. Both hold keys as the caller gave them; `order` maps a key to its sort order.
template <class Word, class V>
struct Arrays {
  Word* keys[2];
  V* values[2];
  KeyOrder<Word> order;

  // A run-time subscript would make the compiler keep the arrays in local memory.
  __device__ Word* keys_on(int buffer) const { return buffer == 0 ? keys[0] : keys[1]; }
  __device__ V* values_on(int buffer) const { return buffer == 0 ? values[0] : values[1]; }
};

/// Digit of `ordered`, a key mapped to its sort order: `digits` values from bit `shift` on. `digits` is a power of two.
template <class Word>
__device__ std::uint32_t get_digit(Word ordered, int shift, std::uint32_t digits) {
  return static_cast<std::uint32_t>(ordered >> shift) & (digits - 1);
}

/// Optimisation barrier: makes the compiler recompute values derived from the key instead of keeping them in registers
/// across a barrier.
template <class Word>
__device__ void forget([[maybe_unused]] Word& key) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Word) == 4) {
    asm volatile("" : "+r"(key)::"memory");
  } else if constexpr (sizeof(Word) == 8) {
    asm volatile("" : "+l"(key)::"memory");
  }
#endif
}

/// threadIdx.x behind an optimisation barrier. Otherwise the compiler hoists what follows from it out of the loop over
/// buckets, and spills. Signed, so that multiples added to it become offsets of an instruction.
__device__ inline int opaque_thread() {
  std::uint32_t thread = threadIdx.x;
  forget(thread);
  return static_cast<int>(thread);
}

/// Compiler barrier for memory accesses: without it too many are in flight, and registers spill.
__device__ inline void compiler_barrier() {
#ifdef __CUDA_ARCH__
  asm volatile("" ::: "memory");
#endif
}

/// Exclusive prefix sum of `mine` over the block; `all` receives the total. `warps` holds one entry per warp and may be
/// reused after the next barrier. kByReduction selects warp reductions instead of a loop, across which the compiler
/// does not move other work.
template <bool kByReduction = true, class T>
__device__ T exclusive_sum(T mine, T& all, T* warps) {
  const std::uint32_t lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  T sum = mine;
#pragma unroll
  for (std::uint32_t step = 1; step < kWarp; step *= 2) {
    const T other = __shfl_up_sync(kAllLanes, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == kWarp - 1) warps[warp] = sum;
  __syncthreads();
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  if constexpr (kByReduction && sizeof(T) == 4) {
    const T warp_total = lane < blockDim.x / kWarp ? warps[lane] : 0;
    all = __reduce_add_sync(kAllLanes, warp_total);
    return __reduce_add_sync(kAllLanes, lane < warp ? warp_total : 0) + sum - mine;
  }
#endif
  T before = 0;
  all = 0;
  for (std::uint32_t w = 0; w < blockDim.x / kWarp; ++w) {
    if (w < warp) before += warps[w];
    all += warps[w];
  }
  return before + sum - mine;
}

/// Bitwise or over the lanes of a warp.
__device__ inline std::uint32_t warp_or(std::uint32_t word) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_or_sync(kAllLanes, word);
#else
  for (std::uint32_t step = 1; step < kWarp; step *= 2) word |= __shfl_xor_sync(kAllLanes, word, step);
  return word;
#endif
}

__device__ inline std::uint32_t warp_max(std::uint32_t word) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_max_sync(kAllLanes, word);
#else
  for (std::uint32_t step = 1; step < kWarp; step *= 2) word = max(word, __shfl_xor_sync(kAllLanes, word, step));
  return word;
#endif
}

__device__ inline std::uint32_t warp_sum(std::uint32_t word) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_add_sync(kAllLanes, word);
#else
  for (std::uint32_t step = 1; step < kWarp; step *= 2) word += __shfl_xor_sync(kAllLanes, word, step);
  return word;
#endif
}

/// True if bit `i` of `words` is set.
__device__ inline bool is_set(const std::uint32_t* words, std::uint32_t i) {
  return (words[i / kWarp] >> i % kWarp & 1) != 0;
}
/// The first set bit after `i` among `bits` bits, or `bits`.
__device__ inline std::uint32_t next_set(const std::uint32_t* words, std::uint32_t i, std::uint32_t bits) {
  std::uint32_t w = i / kWarp;
  std::uint32_t word = words[w] & ~1U << i % kWarp;
  while (word == 0) {
    if (++w == bits / kWarp) return bits;
    word = words[w];
  }
  return w * kWarp + static_cast<std::uint32_t>(__ffs(static_cast<int>(word))) - 1;
}

/// Calls `write(i, thread, threads)` for `count` items: with the whole block for each, or, if they are many, with a
/// warp.
template <int kBlockThreads, class Write>
__device__ void share_items(std::uint32_t count, const Write& write) {
  constexpr std::uint32_t kWarps = kBlockThreads / kWarp;
  if (count < kWarps) {
    for (std::uint32_t i = 0; i < count; ++i) write(i, threadIdx.x, kBlockThreads);
  } else {
    for (std::uint32_t i = threadIdx.x / kWarp; i < count; i += kWarps) write(i, threadIdx.x % kWarp, kWarp);
  }
}

inline constexpr std::uint32_t kNoDigit = ~0U;

/// The most frequent digit (up to 16 bits) of the warp if at least kHotLanes lanes have it, so that adding once for all
/// of them pays; otherwise kNoDigit.
__device__ inline std::uint32_t hot_digit(std::uint32_t digit, bool is_key) {
  const std::uint32_t lanes = __match_any_sync(kAllLanes, is_key ? digit : kNoDigit - threadIdx.x % kWarp);
  const std::uint32_t hottest = warp_max(static_cast<std::uint32_t>(__popc(lanes)) << 16 | (is_key ? digit : 0));
  return hottest >> 16 >= kHotLanes ? hottest & 0xFFFF : kNoDigit;
}

/// The 64 bits of a word from bit 64 * half on.
template <class Word>
__device__ unsigned long long word_half(Word word, int half) {
  if constexpr (sizeof(Word) <= 8) return half == 0 ? word : 0;
  return static_cast<unsigned long long>(word >> (64 * half));
}

/// The key of the lane whose index differs in the bit `step`.
template <class Word>
__device__ Word key_across(Word key, std::uint32_t step) {
  if constexpr (sizeof(Word) <= 8) {
    return __shfl_xor_sync(kAllLanes, key, step);
  } else {
    return static_cast<Word>(__shfl_xor_sync(kAllLanes, word_half(key, 1), step)) << 64 |
           __shfl_xor_sync(kAllLanes, word_half(key, 0), step);
  }
}

/// Ors the words of all threads of a block into `to`, two 64-bit words in shared or global memory.
template <class Word>
__device__ void or_into(unsigned long long* to, Word word) {
#pragma unroll
  for (int half = 0; half < (sizeof(Word) > 8 ? 2 : 1); ++half) {
    const unsigned long long bits = word_half(word, half);
    unsigned long long all = warp_or(static_cast<std::uint32_t>(bits));
    if constexpr (sizeof(Word) > 4) {
      all |= static_cast<unsigned long long>(warp_or(static_cast<std::uint32_t>(bits >> 32))) << 32;
    }
    if (threadIdx.x % kWarp == 0 && all != 0) atomicOr(to + half, all);
  }
}

/// Number of bits up to the highest one set in a 128-bit number of two words.
__device__ inline int bit_length(const unsigned long long* words) {
  if (words[1] != 0) return 128 - __clzll(static_cast<long long>(words[1]));
  return words[0] == 0 ? 0 : 64 - __clzll(static_cast<long long>(words[0]));
}

}  // namespace sortlab::msd_gpu
