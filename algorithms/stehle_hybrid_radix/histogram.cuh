// Counts the digits of each block in shared memory, by one atomic addition a key or by as few as the thread's keys
// allow (section 4.3).
#pragma once

#include "algorithms/stehle_hybrid_radix/pass.cuh"

namespace sortlab::hybrid_radix {

/// A network of 25 comparators that sorts nine (Floyd; the optimum): pairs of places, smaller first.
struct Comparator {
  int low;
  int high;
};
inline constexpr std::array<Comparator, 25> kNetwork{
    {{0, 3}, {1, 7}, {2, 5}, {4, 8}, {0, 7}, {2, 4}, {3, 8}, {5, 6}, {0, 2}, {1, 3}, {4, 5}, {7, 8}, {1, 4},
     {3, 6}, {5, 7}, {0, 1}, {2, 4}, {3, 5}, {6, 8}, {2, 3}, {4, 5}, {6, 7}, {1, 2}, {3, 4}, {5, 6}}};

template <class T>
__host__ __device__ constexpr void sort_nine(T* keys) {
#pragma unroll
  for (int i = 0; i < static_cast<int>(kNetwork.size()); ++i) {
    constexpr auto network = kNetwork;
    T& low = keys[network[static_cast<std::size_t>(i)].low];
    T& high = keys[network[static_cast<std::size_t>(i)].high];
    const T smaller = low < high ? low : high;
    high = low < high ? high : low;
    low = smaller;
  }
}

/// Adds the digits of kRun keys to `counts`; those from `most` on are none.
__device__ inline void count_reduced(std::uint32_t (&digits)[kRun], std::uint32_t most, std::uint32_t* counts) {
  sort_nine(digits);
  std::uint32_t run = 1;
#pragma unroll
  for (int i = 0; i < kRun; ++i) {
    const bool ends = i + 1 == kRun || digits[i + 1 < kRun ? i + 1 : i] != digits[i];
    if (ends && digits[i] < most) atomicAdd(counts + digits[i], run);
    run = ends ? 1 : run + 1;
  }
}

/// Also writes each block's histogram where `kKeep`, for the scatter.
template <bool kThreadReduction, bool kKeep, class Word, class V, class Offset>
__global__ void __launch_bounds__(kMostThreads) count_digits(Pass<Word, V, Offset> pass) {
  __shared__ std::uint32_t counts[1 << kMostDigitBits];
  const std::uint32_t digits = pass.digits(), blocks = pass.state().blocks;
  for (std::uint32_t b = blockIdx.x; b < blocks; b += gridDim.x) {
    const BlockAssignment<Offset> block = pass.blocks()[b];
    for (std::uint32_t d = threadIdx.x; d < digits; d += blockDim.x) counts[d] = 0;
    __syncthreads();
    const Word* const keys = pass.keys + block.keys;
    for (std::uint32_t first = threadIdx.x; first < block.count; first += kRun * blockDim.x) {
      std::uint32_t found[kRun];
#pragma unroll
      for (int i = 0; i < kRun; ++i) {
        const std::uint32_t at = first + i * blockDim.x;
        found[i] = at < block.count ? pass.digit(pass.in.ordered(keys[at])) : digits;
      }
      if constexpr (kThreadReduction) {
        count_reduced(found, digits, counts);
      } else {
#pragma unroll
        for (int i = 0; i < kRun; ++i) {
          if (found[i] < digits) atomicAdd(counts + found[i], 1U);
        }
      }
    }
    __syncthreads();
    for (std::uint32_t d = threadIdx.x; d < digits; d += blockDim.x) {
      const std::uint32_t count = counts[d];
      if (count > 0) atomicAdd(pass.tables.bucket_counts + std::uint64_t{block.bucket} * digits + d, Offset{count});
      if constexpr (kKeep) pass.tables.block_counts[std::uint64_t{b} * digits + d] = count;
    }
    __syncthreads();
  }
}

}  // namespace sortlab::hybrid_radix
