// Phase 1: a block samples a segment, sorts the sample in shared memory, and takes every a-th element as a splitter.
#pragma once

#include "algorithms/leischner_sample_sort/level.cuh"
#include "algorithms/leischner_sample_sort/network.cuh"

namespace sortlab::sample_sort {

/// A linear congruential generator (Knuth's MMIX); its upper bits are used.
class Lcg {
 public:
  __device__ Lcg(std::uint64_t seed, std::uint64_t stream) : state_(seed ^ stream * 0x9E3779B97F4A7C15u) {
    next();
    next();
  }
  /// A random number below `count`.
  __device__ std::uint64_t below(std::uint64_t count) { return __umul64hi(next(), count); }

 private:
  __device__ std::uint64_t next() { return state_ = state_ * 6364136223846793005u + 1442695040888963407u; }
  std::uint64_t state_;
};

template <class Word>
__global__ void __launch_bounds__(kSampleThreads) choose_splitters(Split<Word> split) {
  extern __shared__ uint4 shared[];
  auto* const sample = reinterpret_cast<Word*>(shared);
  __shared__ std::uint32_t duplicates;
  Segment& segment = split.segments[blockIdx.x];
  const std::uint32_t ways = segment.ways(), a = split.oversampling;
  if (threadIdx.x == 0) duplicates = 0;

  Lcg random{split.seed, segment.first + threadIdx.x};
  for (std::uint32_t i = threadIdx.x; i < ways * a; i += blockDim.x) {
    sample[i] = split.order.ordered(split.keys[segment.first + random.below(segment.count)]);
  }
  sort_by_network<Word>(split.network, sample, nullptr, ways * a);

  Word* const splitters = split.splitters + segment.splitters;
  bool equal = false;
  for (std::uint32_t i = threadIdx.x; i + 1 < ways; i += blockDim.x) {
    const Word splitter = sample[(i + 1) * a - 1];
    splitters[i] = splitter;
    equal |= i + 2 < ways && sample[(i + 2) * a - 1] == splitter;
  }
  if (equal) duplicates = 1;
  __syncthreads();
  if (threadIdx.x == 0) segment.duplicates = duplicates;
}

}  // namespace sortlab::sample_sort
