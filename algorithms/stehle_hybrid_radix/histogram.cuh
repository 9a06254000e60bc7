// Counts the digits of each block in shared memory, with one atomic addition per key or, after thread reduction, one
// per run of equal digits (section 4.3).
#pragma once

#include "algorithms/stehle_hybrid_radix/network.hpp"
#include "algorithms/stehle_hybrid_radix/pass.cuh"

namespace sortlab::hybrid_radix {

/// Adds kRun digits to `counts`; digits from `none` on stand for no key.
__device__ inline void count_reduced(std::uint32_t* digits, std::uint32_t none, std::uint32_t* counts) {
  sort_nine(digits);
  std::uint32_t run = 1;
#pragma unroll
  for (int i = 0; i < kRun; ++i) {
    const bool ends = i + 1 == kRun || digits[i + 1 < kRun ? i + 1 : i] != digits[i];
    if (ends && digits[i] < none) atomicAdd(counts + digits[i], run);
    run = ends ? 1 : run + 1;
  }
}

/// Counts kAtOnce keys per thread, loaded together. `kFull`: all of them exist.
template <int kAtOnce, bool kFull, bool kThreadReduction, bool kMaps, class Word, class V, class Offset>
__device__ void count_keys(const Pass<Word, V, Offset>& pass, const Word* keys, std::uint32_t left,
                           std::uint32_t* counts) {
  const std::uint32_t none = pass.digits();
  std::uint32_t found[kAtOnce];
#pragma unroll
  for (int i = 0; i < kAtOnce; ++i) {
    const bool is_key = kFull || i * blockDim.x < left;
    found[i] = is_key ? pass.digit(pass.template mapped<kMaps>(keys[i * blockDim.x])) : none;
  }
  if constexpr (kThreadReduction) {
#pragma unroll
    for (int run = 0; run < kAtOnce; run += kRun) count_reduced(found + run, none, counts);
  } else {
#pragma unroll
    for (int i = 0; i < kAtOnce; ++i) {
      if (kFull || found[i] < none) atomicAdd(counts + found[i], 1U);
    }
  }
}

/// Adds each block's histogram to that of its bucket, and keeps it for the scatter. A thread block takes consecutive
/// blocks of keys and accumulates their counts per bucket before it adds them to global memory: in the first pass all
/// blocks share one bucket, and its counters.
template <bool kThreadReduction, bool kMaps, class Word, class V, class Offset>
__global__ void __launch_bounds__(kMaxThreads) count_digits(Pass<Word, V, Offset> pass) {
  __shared__ std::uint32_t counts[1 << kMaxDigitBits];
  const std::uint32_t digits = pass.digits(), blocks = pass.state().blocks, d = threadIdx.x;
  const std::uint32_t share = (blocks + gridDim.x - 1) / gridDim.x;
  const std::uint32_t end = min(blocks, (blockIdx.x + 1) * share);
  if (d < digits) counts[d] = 0;
  Offset sum = 0;  // count of this thread's digit in the bucket
  for (std::uint32_t b = blockIdx.x * share; b < end; ++b) {
    const BlockAssignment<Offset> block = pass.blocks()[b];
    const bool last = b + 1 == end || pass.blocks()[b + 1].bucket != block.bucket;
    __syncthreads();
    const Word* const keys = pass.keys + block.keys + threadIdx.x;
    std::uint32_t first = 0;
    for (; first + 2 * kRun * blockDim.x <= block.count; first += 2 * kRun * blockDim.x) {
      count_keys<2 * kRun, true, kThreadReduction, kMaps>(pass, keys + first, 0, counts);
    }
    for (; first + threadIdx.x < block.count; first += kRun * blockDim.x) {
      count_keys<kRun, false, kThreadReduction, kMaps>(pass, keys + first, block.count - first - threadIdx.x, counts);
    }
    __syncthreads();
    if (d >= digits) continue;
    const std::uint32_t count = counts[d];
    counts[d] = 0;
    if (pass.keeps) pass.tables.block_counts[std::uint64_t{b} * digits + d] = count;
    sum += count;
    if (last && sum > 0) {
      atomicAdd(pass.tables.bucket_counts + std::uint64_t{block.bucket} * digits + d, sum);
      sum = 0;
    }
  }
}

}  // namespace sortlab::hybrid_radix
