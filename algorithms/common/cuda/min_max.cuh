// Minimum and maximum key of a range, by a reduction.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/common/cuda/pinned_memory.hpp"
#include "core/cuda/check.hpp"
#include "core/cuda/device_memory.hpp"

namespace sortlab {

/// Minimum and maximum key, in sort order (KeyOrder::ordered).
template <class Word>
struct MinMax {
  Word min;
  Word max;
};

inline constexpr std::uint32_t kReductionThreads = 256;
inline constexpr std::uint32_t kReductionBlocks = 1024;  ///< maximum number of blocks

/// Reduces `value` over a block of kReductionThreads threads, by halving in shared memory. The result is in thread 0.
template <class Word>
__device__ MinMax<Word> reduce_in_block(MinMax<Word> value) {
  __shared__ Word mins[kReductionThreads], maxs[kReductionThreads];
  mins[threadIdx.x] = value.min;
  maxs[threadIdx.x] = value.max;
  for (std::uint32_t half = kReductionThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    const Word other_min = mins[threadIdx.x + half], other_max = maxs[threadIdx.x + half];
    if (other_min < mins[threadIdx.x]) mins[threadIdx.x] = other_min;
    if (other_max > maxs[threadIdx.x]) maxs[threadIdx.x] = other_max;
  }
  return {mins[0], maxs[0]};
}

/// Writes one result per block. There is at least one key; a thread without a key takes the first.
template <class Word>
__global__ void __launch_bounds__(kReductionThreads)
    find_min_max(const Word* keys, std::uint64_t count, KeyOrder<Word> order, MinMax<Word>* results) {
  const std::uint64_t stride = std::uint64_t{gridDim.x} * kReductionThreads;
  const Word first = order.ordered(keys[0]);
  MinMax<Word> own{first, first};
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kReductionThreads + threadIdx.x; i < count; i += stride) {
    const Word key = order.ordered(keys[i]);
    if (key < own.min) own.min = key;
    if (key > own.max) own.max = key;
  }
  own = reduce_in_block(own);
  if (threadIdx.x == 0) results[blockIdx.x] = own;
}

/// The reduction with its memory; the host waits for the result.
template <class Word>
class Extremes {
 public:
  Extremes() : on_device_(kReductionBlocks * sizeof(MinMax<Word>)), here_(kReductionBlocks) {}

  std::uint64_t bytes() const { return on_device_.size(); }

  /// Minimum and maximum of `count` keys, at least one.
  MinMax<Word> find(const Word* keys, std::uint64_t count, const KeyOrder<Word>& order, cudaStream_t stream) const {
    const auto blocks = static_cast<std::uint32_t>(
        std::min<std::uint64_t>((count + kReductionThreads - 1) / kReductionThreads, kReductionBlocks));
    auto* const results = on_device_.template data<MinMax<Word>>();
    find_min_max<<<blocks, kReductionThreads, 0, stream>>>(keys, count, order, results);
    check_launch();
    check(cudaMemcpyAsync(here_.data(), results, blocks * sizeof(MinMax<Word>), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));
    MinMax<Word> all = here_[0];
    for (std::uint32_t i = 1; i < blocks; ++i) {
      all.min = std::min(all.min, here_[i].min);
      all.max = std::max(all.max, here_[i].max);
    }
    return all;
  }

 private:
  DeviceMemory on_device_;
  PinnedArray<MinMax<Word>> here_;
};

}  // namespace sortlab
