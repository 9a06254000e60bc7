// The least and the largest key of a range, by a reduction.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/common/cuda/pinned_memory.hpp"
#include "core/cuda/check.hpp"
#include "core/cuda/device_memory.hpp"

namespace sortlab {

/// As KeyOrder::ordered.
template <class Word>
struct LeastAndMost {
  Word least;
  Word most;
};

inline constexpr std::uint32_t kReductionThreads = 256;
inline constexpr std::uint32_t kReductionBlocks = 1024;  ///< at most

/// Of `value` of all threads of a block of kReductionThreads, in thread 0, by halving in shared memory.
template <class Word>
__device__ LeastAndMost<Word> reduce_in_block(LeastAndMost<Word> value) {
  __shared__ Word least[kReductionThreads], most[kReductionThreads];
  least[threadIdx.x] = value.least;
  most[threadIdx.x] = value.most;
  for (std::uint32_t half = kReductionThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    const Word other_least = least[threadIdx.x + half], other_most = most[threadIdx.x + half];
    if (other_least < least[threadIdx.x]) least[threadIdx.x] = other_least;
    if (other_most > most[threadIdx.x]) most[threadIdx.x] = other_most;
  }
  return {least[0], most[0]};
}

/// One result per block of at least one key; a thread without a key takes the first.
template <class Word>
__global__ void __launch_bounds__(kReductionThreads)
    find_least_and_most(const Word* keys, std::uint64_t count, KeyOrder<Word> order, LeastAndMost<Word>* results) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kReductionThreads;
  const Word first = order.ordered(keys[0]);
  LeastAndMost<Word> own{first, first};
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kReductionThreads + threadIdx.x; i < count; i += stride) {
    const Word key = order.ordered(keys[i]);
    if (key < own.least) own.least = key;
    if (key > own.most) own.most = key;
  }
  own = reduce_in_block(own);
  if (threadIdx.x == 0) results[blockIdx.x] = own;
}

/// The reduction and its memory; the host waits for the result.
template <class Word>
class Extremes {
 public:
  Extremes() : on_device_(kReductionBlocks * sizeof(LeastAndMost<Word>)), here_(kReductionBlocks) {}

  std::uint64_t bytes() const { return on_device_.size(); }

  /// Of `count` keys, at least one.
  LeastAndMost<Word> of(const Word* keys, std::uint64_t count, const KeyOrder<Word>& order, cudaStream_t stream) const {
    const auto blocks = static_cast<std::uint32_t>(
        std::min<std::uint64_t>((count + kReductionThreads - 1) / kReductionThreads, kReductionBlocks));
    auto* const results = on_device_.template data<LeastAndMost<Word>>();
    find_least_and_most<<<blocks, kReductionThreads, 0, stream>>>(keys, count, order, results);
    check_launch();
    check(cudaMemcpyAsync(here_.data(), results, blocks * sizeof(LeastAndMost<Word>), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    LeastAndMost<Word> all = here_[0];
    for (std::uint32_t i = 1; i < blocks; ++i) {
      all.least = std::min(all.least, here_[i].least);
      all.most = std::max(all.most, here_[i].most);
    }
    return all;
  }

 private:
  DeviceMemory on_device_;
  PinnedArray<LeastAndMost<Word>> here_;
};

}  // namespace sortlab
