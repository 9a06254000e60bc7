// Bins between the keys of a sorted sample, by a block, for a bucket whose keys lie unevenly in their range.
//
// A sample of the bucket's keys, sorted, cuts the rest into bins: a key between two neighbours of it is in one bin, a
// key equal to one in another, so that of many equal keys no two need be compared. Every key finds its bin by a search
// in a tree, and its place in the bin by comparison with all the bin's keys. Only 32 bits of a key are sampled: those
// from the highest in which any differ.
#pragma once

#include "algorithms/msd_radix_gpu/block.cuh"

namespace sortlab::msd_gpu {

/// With one bin, at most, where they must be compared with each other.
inline constexpr std::uint32_t kComparedKeys = 512;

/// Shared memory of a block with kSpace keys at most and a sample of kSampleKeys, a power of two.
template <int kThreadsOf, std::uint32_t kSampleKeys, std::uint32_t kSpace>
struct SampleStage {
  static constexpr std::uint32_t kKeys = kSampleKeys;
  static constexpr std::uint32_t kBins = 2 * kSampleKeys;
  static constexpr int kSteps = kLog2<kSampleKeys>;
  static constexpr std::uint32_t kTail = std::max(2 * kSampleKeys * 4, kSpace * 2);
  static constexpr std::uint32_t kBytes = (kBins + kSampleKeys) * 4 + (kTail + 3) / 4 * 4;
  static constexpr std::uint32_t kOfThread = std::max<std::uint32_t>(kSampleKeys / kThreadsOf, 1);
  static constexpr std::uint32_t kBinsOfThread = std::max<std::uint32_t>(kBins / kThreadsOf, 1);
  static_assert(kOfThread <= 2 && kSampleKeys % (kOfThread * kWarp) == 0);

  std::uint32_t* bins;      ///< keys of a bin, then where it begins; the last is empty: where all end
  std::uint32_t* tree;      ///< the sample but its last, in the order of a breadth-first search, from 1 on
  std::uint32_t* exchange;  ///< two buffers of a sample, while it is sorted
  std::uint16_t* bin_of;    ///< of the key at a place, later

  __device__ explicit SampleStage(std::uint32_t* words)
      : bins(words),
        tree(words + kBins),
        exchange(words + kBins + kSampleKeys),
        bin_of(reinterpret_cast<std::uint16_t*>(exchange)) {}
};

/// Sorts kSampleKeys words, of which each thread has kOfThread in a row, by a bitonic network (Batcher 1968), and
/// writes the tree. All threads see it after the next barrier.
template <int kThreadsOf, std::uint32_t kSampleKeys, std::uint32_t kSpace>
__device__ void plant(const SampleStage<kThreadsOf, kSampleKeys, kSpace>& stage,
                      std::uint32_t (&words)[SampleStage<kThreadsOf, kSampleKeys, kSpace>::kOfThread]) {
  constexpr std::uint32_t kOf = SampleStage<kThreadsOf, kSampleKeys, kSpace>::kOfThread;
  const std::uint32_t first = threadIdx.x * kOf;
  const bool takes_part = first < kSampleKeys;  // warps do as a whole
  std::uint32_t* buffer = stage.exchange;
  for (std::uint32_t size = 2; size <= kSampleKeys; size *= 2) {
    for (std::uint32_t step = size / 2; step > 0; step /= 2) {
      std::uint32_t others[kOf];
      if (step >= kOf * kWarp) {
        if (takes_part) {
#pragma unroll
          for (std::uint32_t r = 0; r < kOf; ++r) buffer[first + r] = words[r];
        }
        __syncthreads();
        if (takes_part) {
#pragma unroll
          for (std::uint32_t r = 0; r < kOf; ++r) others[r] = buffer[(first + r) ^ step];
        }
        buffer = buffer == stage.exchange ? stage.exchange + kSampleKeys : stage.exchange;
      } else if (step >= kOf) {
#pragma unroll
        for (std::uint32_t r = 0; r < kOf; ++r) others[r] = __shfl_xor_sync(kAllLanes, words[r], step / kOf);
      } else {
#pragma unroll
        for (std::uint32_t r = 0; r < kOf; ++r) others[r] = words[kOf - 1 - r];
      }
#pragma unroll
      for (std::uint32_t r = 0; r < kOf; ++r) {
        const bool keeps_lower = (((first + r) & size) == 0) == (((first + r) & step) == 0);
        words[r] = keeps_lower ? min(words[r], others[r]) : max(words[r], others[r]);
      }
    }
  }
  if (!takes_part) return;
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) {
    const std::uint32_t number = first + r + 1;  // the number of trailing zeros is the height in the tree
    if (number == kSampleKeys) continue;
    const int height = __ffs(static_cast<int>(number)) - 1;
    stage.tree[(kSampleKeys >> (height + 1)) + (number >> (height + 1))] = words[r];
  }
}

}  // namespace sortlab::msd_gpu
