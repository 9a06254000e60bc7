// Layout of a bucket in a block's shared memory, and the order in which its elements are read.
#pragma once

#include "algorithms/msd_radix_gpu/sampled.cuh"

namespace sortlab::msd_gpu {

template <class Word, class V, int kBlockThreads, int kItems>
struct BucketStage {
  static constexpr int kThreads = kBlockThreads;
  static constexpr std::uint32_t kElements = kBlockThreads * kItems;
  static constexpr int kBinBits = kLog2<kElements>;
  static constexpr std::uint32_t kBins = 1U << kBinBits;
  static constexpr std::uint32_t kElementBytes = (kElements * (sizeof(Word) + kValueBytes<V>)+15) / 16 * 16;
  using Sample = SampleStage<Word, kBlockThreads, kBins / 16, kElements>;
  static constexpr std::uint32_t kBytes = kElementBytes + std::max(kBins * 4, Sample::kBytes);
  static_assert(kBytes == bucket_stage_bytes({kThreads, kItems}, sizeof(Word), kValueBytes<V>) &&
                kBytes <= kMaxDynamicBytes);
  Word* keys;
  V* values;
  std::uint32_t* bins;  ///< number of keys per bin, then the begin of each bin

  __device__ explicit BucketStage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kElements)),
        bins(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + kElementBytes)) {}

  /// Number of bins per thread. A thread sums consecutive bins; if every thread started with its first bin, all of them
  /// would hit a few banks, so the bins of a thread are permuted.
  static constexpr std::uint32_t kPerThread = kBins / kBlockThreads;
  __device__ static std::uint32_t slot(std::uint32_t bin) { return bin ^ (bin / kWarp & (kPerThread - 1)); }
  static_assert(kPerThread <= kWarp);
};

/// Shared variables of the block besides the stage.
struct BucketShared {
  std::uint32_t warps[kMaxThreads / kWarp];
  unsigned long long differ[2];
  std::uint32_t low, high;                       ///< minimum and maximum of the keys' upper 32 bits
  std::uint32_t parts[kEvennessSamples][kWarp];  ///< part of the range (of 32) in which each sampled key lies
};

/// Source of a contiguous bucket. A thread takes a few consecutive elements, so that the lanes of a warp are further
/// apart: in a sorted input neighbouring lanes would otherwise add to the same bin and wait for each other.
struct InRow {
  unsigned long long begin;

  __device__ std::uint32_t at(std::uint32_t place) const { return place; }
  template <int kBlockThreads, int kItems>
  struct Places {
    static constexpr int kInRow = kItems % 4 == 0 ? 4 : kItems % 3 == 0 ? 3 : kItems % 2 == 0 ? 2 : 1;
    int thread;
    int count;

    __device__ Places(const InRow&, int block_thread, std::uint32_t element_count)
        : thread(block_thread * kInRow), count(static_cast<int>(element_count)) {}
    __device__ int operator[](int i) const { return thread + i / kInRow * kInRow * kBlockThreads + i % kInRow; }
    __device__ bool has(int i) const { return (*this)[i] < count; }
    __device__ bool is_past_end(int i) const { return i / kInRow * kInRow * kBlockThreads >= count; }
  };
};

}  // namespace sortlab::msd_gpu
