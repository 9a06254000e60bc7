// What the kernels share: how they begin, elements, digits, sums over a block.
#pragma once

#include <type_traits>

#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/msd_radix_gpu/lists.hpp"

namespace sortlab::msd_gpu {

inline constexpr std::uint32_t kWarp = 32;
inline constexpr std::uint32_t kAllLanes = ~0U;

/// Threads that a multiprocessor holds.
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

/// Lets the next kernel be launched, and waits until the one before is done. Every kernel of a Launch begins with it:
/// blocks of the next come to a multiprocessor as soon as there is room for them, and wait there.
__device__ inline void wait_for_previous_kernel() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;\n\tgriddepcontrol.wait;" ::: "memory");
#endif
}

/// The two arrays of keys, and of values; keys lie in both as they were given, and are ordered as `order` says.
template <class Word, class V>
struct Arrays {
  Word* keys[2];
  V* values[2];
  KeyOrder<Word> order;

  // A run-time subscript would have the compiler keep the arrays in memory.
  __device__ Word* keys_on(int side) const { return side == 0 ? keys[0] : keys[1]; }
  __device__ V* values_on(int side) const { return side == 0 ? values[0] : values[1]; }
};

/// Of a key in its order.
template <class Word>
__device__ std::uint32_t digit_of(Word ordered, int shift, std::uint32_t digits) {
  return static_cast<std::uint32_t>(ordered >> shift) & (digits - 1);
}

/// Makes the compiler compute again what it knows of a key, rather than keep it in registers from one barrier to the
/// next.
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

/// threadIdx.x, of which the compiler does not know that it is the same for all buckets: it would compute what follows
/// from it ahead of them, and spill it. Signed, so that multiples added to it become offsets of an instruction.
__device__ inline int own_thread() {
  std::uint32_t thread = threadIdx.x;
  forget(thread);
  return static_cast<int>(thread);
}

/// Keeps the compiler from moving accesses to memory across: it would have too many under way, and spill.
__device__ inline void keep_order() {
#ifdef __CUDA_ARCH__
  asm volatile("" ::: "memory");
#endif
}

/// The sum of `mine` of the threads before, and of all; `warps` has a place a warp and may be used again after the
/// next barrier. By warp reductions or by a loop, which the compiler does not move other work across.
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
    const T of_lane = lane < blockDim.x / kWarp ? warps[lane] : 0;
    all = __reduce_add_sync(kAllLanes, of_lane);
    return __reduce_add_sync(kAllLanes, lane < warp ? of_lane : 0) + sum - mine;
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

/// Of the lanes of a warp.
__device__ inline std::uint32_t or_of_warp(std::uint32_t word) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_or_sync(kAllLanes, word);
#else
  for (std::uint32_t step = 1; step < kWarp; step *= 2) word |= __shfl_xor_sync(kAllLanes, word, step);
  return word;
#endif
}

__device__ inline std::uint32_t max_of_warp(std::uint32_t word) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_max_sync(kAllLanes, word);
#else
  for (std::uint32_t step = 1; step < kWarp; step *= 2) word = max(word, __shfl_xor_sync(kAllLanes, word, step));
  return word;
#endif
}

__device__ inline std::uint32_t sum_of_warp(std::uint32_t word) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_add_sync(kAllLanes, word);
#else
  for (std::uint32_t step = 1; step < kWarp; step *= 2) word += __shfl_xor_sync(kAllLanes, word, step);
  return word;
#endif
}

inline constexpr std::uint32_t kNoDigit = ~0U;

/// The digit, of up to 16 bits, that most lanes have, where it is worth while that they add at once.
__device__ inline std::uint32_t hot_digit(std::uint32_t digit, bool is_key) {
  const std::uint32_t lanes = __match_any_sync(kAllLanes, is_key ? digit : kNoDigit - threadIdx.x % kWarp);
  const std::uint32_t most = max_of_warp(static_cast<std::uint32_t>(__popc(lanes)) << 16 | (is_key ? digit : 0));
  return most >> 16 >= kHotLanes ? most & 0xFFFF : kNoDigit;
}

/// A word's 64 bits from bit 64 * half on.
template <class Word>
__device__ unsigned long long half_of(Word word, int half) {
  if constexpr (sizeof(Word) <= 8) return half == 0 ? word : 0;
  return static_cast<unsigned long long>(word >> (64 * half));
}

/// The key of the lane whose number differs in the bit `step`.
template <class Word>
__device__ Word key_across(Word key, std::uint32_t step) {
  if constexpr (sizeof(Word) <= 8) {
    return __shfl_xor_sync(kAllLanes, key, step);
  } else {
    return static_cast<Word>(__shfl_xor_sync(kAllLanes, half_of(key, 1), step)) << 64 |
           __shfl_xor_sync(kAllLanes, half_of(key, 0), step);
  }
}

/// Ors the words of a block's threads into `to`, two words of 64 bits, in shared or global memory.
template <class Word>
__device__ void or_into(unsigned long long* to, Word word) {
#pragma unroll
  for (int half = 0; half < (sizeof(Word) > 8 ? 2 : 1); ++half) {
    const unsigned long long bits = half_of(word, half);
    unsigned long long all = or_of_warp(static_cast<std::uint32_t>(bits));
    if constexpr (sizeof(Word) > 4) {
      all |= static_cast<unsigned long long>(or_of_warp(static_cast<std::uint32_t>(bits >> 32))) << 32;
    }
    if (threadIdx.x % kWarp == 0 && all != 0) atomicOr(to + half, all);
  }
}

/// Bits up to the highest that is set.
__device__ inline int bit_length(const unsigned long long* words) {
  if (words[1] != 0) return 128 - __clzll(static_cast<long long>(words[1]));
  return words[0] == 0 ? 0 : 64 - __clzll(static_cast<long long>(words[0]));
}

}  // namespace sortlab::msd_gpu
