// Kernels: count bins and divisions, scatter keys to their divisions, merge there, and remove the padding.
#pragma once

#include "algorithms/sintorn_hybrid_sort/plan.hpp"
#include "algorithms/sintorn_hybrid_sort/vector_merge.cuh"

namespace sortlab::hybrid_sort {

static_assert(kBins == kDivisions, "one array serves both counts");

static __global__ void __launch_bounds__(kThreads)
    count_bins(const float* keys, std::uint64_t n, Binning binning, std::uint32_t* histogram) {
  __shared__ std::uint32_t counts[kBins];
  for (std::uint32_t bin = threadIdx.x; bin < kBins; bin += kThreads) counts[bin] = 0;
  __syncthreads();
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kThreads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += stride) {
    atomicAdd(counts + binning(keys[i]), 1u);
  }
  __syncthreads();
  for (std::uint32_t bin = threadIdx.x; bin < kBins; bin += kThreads) {
    if (counts[bin] > 0) atomicAdd(histogram + bin, counts[bin]);
  }
}

/// Division of a key: the number of points not above it, by ten steps of binary search.
__device__ inline std::uint32_t find_division(float key, const float* points) {
  std::uint32_t division = 0;
  for (std::uint32_t step = kDivisions / 2; step > 0; step /= 2) {
    if (points[division + step - 1] <= key) division += step;
  }
  return division;
}

/// Computes each key's division and its rank among the block's keys of that division, and each block's counts per
/// division.
static __global__ void __launch_bounds__(kThreads)
    count_divisions(const float* keys, std::uint64_t n, const float* points, std::uint32_t* places,
                    std::uint32_t* block_counts) {
  __shared__ float own_points[kDivisions];
  __shared__ std::uint32_t counts[kDivisions];
  for (std::uint32_t division = threadIdx.x; division < kDivisions; division += kThreads) {
    own_points[division] = points[division];
    counts[division] = 0;
  }
  __syncthreads();
  const std::uint64_t first = std::uint64_t{blockIdx.x} * kBlockKeys;
  const std::uint64_t end = first + kBlockKeys < n ? first + kBlockKeys : n;
  for (std::uint64_t i = first + threadIdx.x; i < end; i += kThreads) {
    const std::uint32_t division = find_division(keys[i], own_points);
    places[i] = atomicAdd(counts + division, 1u) * kDivisions + division;
  }
  __syncthreads();
  for (std::uint32_t division = threadIdx.x; division < kDivisions; division += kThreads) {
    block_counts[std::uint64_t{blockIdx.x} * kDivisions + division] = counts[division];
  }
}

/// Prefix sum of the blocks' counts, and the total, with one thread per division.
static __global__ void __launch_bounds__(kThreads)
    add_up_blocks(std::uint32_t* block_counts, std::uint32_t blocks, std::uint32_t* sizes) {
  const std::uint32_t division = blockIdx.x * kThreads + threadIdx.x;
  std::uint32_t before = 0;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    std::uint32_t* const count = block_counts + std::uint64_t{block} * kDivisions + division;
    const std::uint32_t own = *count;
    *count = before;
    before += own;
  }
  sizes[division] = before;
}

/// Position of a division in the padded arrays, in vectors, and in the result.
struct Division {
  std::uint32_t vector;
  std::uint32_t vectors;
  std::uint32_t begin;
  std::uint32_t keys;
};

static __global__ void __launch_bounds__(kThreads)
    scatter(const float* keys, std::uint64_t n, const std::uint32_t* places, const std::uint32_t* before,
            const Division* divisions, float* to) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * kBlockKeys;
  const std::uint64_t end = first + kBlockKeys < n ? first + kBlockKeys : n;
  for (std::uint64_t i = first + threadIdx.x; i < end; i += kThreads) {
    const std::uint32_t division = places[i] % kDivisions, place = places[i] / kDivisions;
    to[std::uint64_t{divisions[division].vector} * kVector + before[std::uint64_t{blockIdx.x} * kDivisions + division] +
       place] = keys[i];
  }
}

/// Pads the last vector of each division with largest keys, which stay last.
static __global__ void __launch_bounds__(kThreads) pad(const Division* divisions, float* to) {
  const Division division = divisions[blockIdx.x * kThreads + threadIdx.x];
  for (std::uint64_t i = division.keys; i < std::uint64_t{division.vectors} * kVector; ++i) {
    to[std::uint64_t{division.vector} * kVector + i] = __int_as_float(0x7f800000);
  }
}

static __global__ void __launch_bounds__(kThreads) sort_vectors(float4* vectors, std::uint64_t count) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) vectors[i] = sorted(vectors[i]);
}

/// Merges pairs of lists of `run` vectors, one thread per pair; every division has as many threads as the largest
/// needs.
static __global__ void __launch_bounds__(kMergeThreads)
    merge(const float4* from, const Division* divisions, std::uint64_t run, std::uint64_t threads_each, float4* to) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * kMergeThreads + threadIdx.x;
  if (thread >= kDivisions * threads_each) return;
  const Division division = divisions[thread / threads_each];
  const std::uint64_t begin = thread % threads_each * 2 * run;
  if (begin >= division.vectors) return;
  const std::uint64_t left = division.vectors - begin;
  const std::uint64_t of_a = left < run ? left : run, of_b = left - of_a < run ? left - of_a : run;
  const std::uint64_t at = division.vector + begin;
  merge_lists(from + at, of_a, of_b, to + at);
}

/// Removes the padding, one block per division.
static __global__ void __launch_bounds__(kThreads) pack(const float* from, const Division* divisions, float* to) {
  const Division division = divisions[blockIdx.x];
  for (std::uint32_t i = threadIdx.x; i < division.keys; i += kThreads) {
    to[std::uint64_t{division.begin} + i] = from[std::uint64_t{division.vector} * kVector + i];
  }
}

}  // namespace sortlab::hybrid_sort
