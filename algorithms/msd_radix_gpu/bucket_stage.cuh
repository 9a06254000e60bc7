// Where a block holds a bucket in shared memory while it sorts it, and where it reads it from.
#pragma once

#include "algorithms/msd_radix_gpu/sampled.cuh"

namespace sortlab::msd_gpu {

template <class Word, class V, int kThreadsOf, int kItems>
struct BucketStage {
  static constexpr int kThreads = kThreadsOf;
  static constexpr std::uint32_t kElements = kThreadsOf * kItems;
  static constexpr int kBinBits = kLog2<kElements>;
  static constexpr std::uint32_t kBins = 1U << kBinBits;
  static constexpr std::uint32_t kElementBytes = (kElements * (sizeof(Word) + kValueBytes<V>)+15) / 16 * 16;
  using Sample = SampleStage<Word, kThreadsOf, kBins / 16, kElements>;
  static constexpr std::uint32_t kBytes = kElementBytes + std::max(kBins * 4, Sample::kBytes);
  static_assert(kBytes == bucket_stage_bytes({kThreads, kItems}, sizeof(Word), kValueBytes<V>) &&
                kBytes <= kMostDynamic);
  Word* keys;
  V* values;
  std::uint32_t* bins;  ///< of kBins bins the keys, then where each begins

  __device__ explicit BucketStage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kElements)),
        bins(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + kElementBytes)) {}

  /// Bins of a thread. They are in a row, and threads side by side sum theirs up: where each would read the first of
  /// its bins, all would meet in a few banks; so the bins of a thread are permuted.
  static constexpr std::uint32_t kOfThread = kBins / kThreadsOf;
  __device__ static std::uint32_t slot(std::uint32_t bin) { return bin ^ (bin / kWarp & (kOfThread - 1)); }
  static_assert(kOfThread <= kWarp);
};

/// What the block's threads share beside the stage.
struct BucketShared {
  std::uint32_t warps[kMostThreads / kWarp];
  unsigned long long differ[2];
  std::uint32_t low, high;            ///< of the keys' upper bits
  std::uint32_t parts[kRows][kWarp];  ///< of their range, in which some keys lie
};

/// Where a bucket's elements are read from: one after the other. A thread takes a few in a row, so that the lanes of a
/// warp take them further apart: neighbours of a sorted input would be of one bin, and wait for each other.
struct InRow {
  unsigned long long begin;

  __device__ std::uint32_t at(std::uint32_t place) const { return place; }
  template <int kThreadsOf, int kItems>
  struct Places {
    static constexpr int kInRow = kItems % 4 == 0 ? 4 : kItems % 3 == 0 ? 3 : kItems % 2 == 0 ? 2 : 1;
    int thread;
    int count;

    __device__ Places(const InRow&, int of_thread, std::uint32_t of_all)
        : thread(of_thread * kInRow), count(static_cast<int>(of_all)) {}
    __device__ int operator[](int i) const { return thread + i / kInRow * kInRow * kThreadsOf + i % kInRow; }
    __device__ bool has(int i) const { return (*this)[i] < count; }
    __device__ bool nobody_has(int i) const { return i / kInRow * kInRow * kThreadsOf >= count; }
  };
};

}  // namespace sortlab::msd_gpu
