// The range limiter (section 3.3): a reduction finds the smallest and the largest key, and a plan of the passes
// follows. Both stay on the device: a launched pass that the range makes unnecessary returns at once, and the host
// never waits.
#pragma once

#include <algorithm>

#include "algorithms/common/cuda/counting_pass/key_map.cuh"
#include "algorithms/common/cuda/counting_pass/warp_scan.cuh"
#include "core/cuda/device_memory.hpp"

namespace sortlab::ha {

/// Smallest and largest ordered key.
template <class Word>
struct KeyRange {
  Word smallest;
  Word largest;
};

/// atomicMin and atomicMax take unsigned long long, which is not std::uint64_t.
template <class Word>
using Atomic = std::conditional_t<sizeof(Word) == 4, unsigned, unsigned long long>;

inline constexpr int kRangeThreads = 512;

template <class Word>
__global__ __launch_bounds__(kRangeThreads) void find_range(const Word* keys, std::uint64_t n, KeyOrder<Word> order,
                                                            KeyRange<Word>* range) {
  Word smallest = ~Word{0};
  Word largest = 0;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * kRangeThreads;
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * kRangeThreads + threadIdx.x;
  const auto take = [&](Word bits) {
    const Word key = order.ordered(bits);
    smallest = min(smallest, key);
    largest = max(largest, key);
  };
  std::uint64_t taken = 0;
  if (reinterpret_cast<std::uintptr_t>(keys) % sizeof(uint4) == 0) {
    constexpr int per_vector = sizeof(uint4) / sizeof(Word);
    const std::uint64_t vectors = n / per_vector;
#pragma unroll 4
    for (std::uint64_t i = thread; i < vectors; i += threads) {
      const uint4 vector = reinterpret_cast<const uint4*>(keys)[i];
      Word words[per_vector];
      memcpy(words, &vector, sizeof vector);
#pragma unroll
      for (const Word word : words) take(word);
    }
    taken = vectors * per_vector;
  }
  for (std::uint64_t i = taken + thread; i < n; i += threads) take(keys[i]);

#pragma unroll
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    smallest = min(smallest, __shfl_xor_sync(~0u, smallest, distance));
    largest = max(largest, __shfl_xor_sync(~0u, largest, distance));
  }
  if (threadIdx.x % kWarp == 0) {
    atomicMin(reinterpret_cast<Atomic<Word>*>(&range->smallest), smallest);
    atomicMax(reinterpret_cast<Atomic<Word>*>(&range->largest), largest);
  }
}

/// Plans as many passes as the range has digits, but at most `max_passes` and at least `min_passes`. With `keep_parity`
/// the number is odd or even as `max_passes` is: a sort that swaps two arrays must end in the array in which the host
/// expects the result.
template <class Word>
__global__ void plan_integers(const KeyRange<Word>* range, int digit_bits, int min_passes, int max_passes,
                              bool keep_parity, Plan<Word>* plan) {
  const Word width = range->largest - range->smallest;
  const int bits =
      sizeof(Word) == 4 ? 32 - __clz(static_cast<int>(width)) : 64 - __clzll(static_cast<long long>(width));
  int passes = min(max((bits + digit_bits - 1) / digit_bits, min_passes), max_passes);
  if (keep_parity && (max_passes - passes) % 2 != 0) ++passes;
  plan->bias = range->smallest;
  plan->passes = passes;
}

static __global__ void plan_lossy(const KeyRange<std::uint32_t>* range, KeyOrder<std::uint32_t> order, int passes,
                                  Plan<std::uint32_t>* plan) {
  plan->passes = passes;
  plan->unit_floats = UnitFloats::of(std::bit_cast<float>(order.restored(range->smallest)),
                                     std::bit_cast<float>(order.restored(range->largest)));
}

/// Finds the range of n keys and writes it to `range`.
template <class Word>
void launch_find_range(const Word* keys, std::uint64_t n, KeyOrder<Word> order, KeyRange<Word>* range,
                       cudaStream_t stream) {
  check(cudaMemsetAsync(&range->smallest, 0xFF, sizeof(Word), stream));
  check(cudaMemsetAsync(&range->largest, 0, sizeof(Word), stream));
  constexpr std::uint64_t blocks_that_fill_a_device = 4096;
  const std::uint64_t blocks = std::clamp<std::uint64_t>(n / (16 * kRangeThreads), 1, blocks_that_fill_a_device);
  find_range<<<static_cast<unsigned>(blocks), kRangeThreads, 0, stream>>>(keys, n, order, range);
  check_launch();
}

}  // namespace sortlab::ha
