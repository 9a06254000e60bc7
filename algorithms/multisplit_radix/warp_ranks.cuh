// Counts and ranks in a row of 32 elements, from one ballot per bit of their bucket numbers: the number of elements in
// each bucket, and each element's rank within its bucket (GPU Multisplit, sections 4 and 5). Two methods keep the
// counts from row to row.
#pragma once

#include <cstdint>

#include "algorithms/common/cuda/warp_lanes.cuh"
#include "algorithms/multisplit_radix/plan.hpp"

namespace sortlab::multisplit {

inline __device__ std::uint32_t lanes_after() {
  std::uint32_t lanes;
  asm("mov.u32 %0, %%lanemask_gt;" : "=r"(lanes));
  return lanes;
}

/// Keeps in `peers` the lanes whose word agrees with this lane's in the bit of `mask`: one ballot.
inline __device__ void keep_peers(std::uint32_t& peers, std::uint32_t word, std::uint32_t mask) {
  asm volatile(
      "{\n\t"
      ".reg .pred is_set;\n\t"
      ".reg .b32 bits, lanes, without;\n\t"
      "and.b32 bits, %1, %2;\n\t"
      "setp.ne.u32 is_set, bits, 0;\n\t"
      "vote.sync.ballot.b32 lanes, is_set, 0xffffffff;\n\t"
      "selp.b32 without, 0, -1, is_set;\n\t"
      "lop3.b32 %0, %0, lanes, without, 0x60;\n\t"  // peers & (lanes ^ without)
      "}"
      : "+r"(peers)
      : "r"(word), "r"(mask));
}

/// The paper's counters: a lane counts kGroups buckets, every 32nd one, in registers.
template <int kGroups>
class LaneCounters {
 public:
  static constexpr bool kInRegisters = true;
  static constexpr int kItems = kItemsOfLanes.front();

  /// Counters for 2^bits buckets.
  __device__ explicit LaneCounters(int bits) : bits_(bits) {}

  /// Counts a row in which the lanes `there` have an element.
  __device__ void add(std::uint32_t bucket, std::uint32_t there = ~0u) {
    std::uint32_t mine = ~0u;
    count(ballots<false>(bucket, there, mine));
  }
  /// Counts a row; returns the position of this lane's element among the warp's elements of its bucket.
  __device__ std::uint32_t place(std::uint32_t bucket) {
    std::uint32_t mine = ~0u;
    const Row row = ballots<true>(bucket, ~0u, mine);
    std::uint32_t before = 0;
#pragma unroll
    for (unsigned group = 0; group < kGroups; ++group) {
      const std::uint32_t rows_before = __shfl_sync(~0u, count_[group], bucket % kWarp);
      if (bucket / kWarp == group) before = rows_before;
    }
    count(row);
    return before + __popc(mine & lanes_before());
  }

  /// Count of bucket `lane`, if a lane counts one bucket.
  __device__ std::uint32_t count() const {
    return count_[0];
  }
  /// Stores the counts of all buckets in order.
  __device__ void store(std::uint32_t* counts) const {
#pragma unroll
    for (unsigned group = 0; group < kGroups; ++group) {
      const unsigned bucket = group * kWarp + threadIdx.x % kWarp;
      if (bucket < 1u << bits_) counts[bucket] = count_[group];
    }
  }

 private:
  static constexpr int kLowBits = 5;  // bits of a bucket's number that select its lane
  static constexpr int kHighBits = kGroups == 1 ? 0 : kGroups == 4 ? 2 : 3;
  static_assert(1 << kHighBits == kGroups);

  struct Row {
    std::uint32_t of_lane;                               ///< lanes whose bucket is one of this lane's
    std::uint32_t high[kHighBits == 0 ? 1 : kHighBits];  ///< lanes whose bucket has the bit set
  };

  /// Collects a row's ballots, one for each bit of the bucket. Removes from `mine` the lanes whose bucket differs from
  /// this lane's.
  template <bool kMine>
  __device__ Row ballots(std::uint32_t bucket, std::uint32_t there, std::uint32_t& mine) const {
    Row row{.of_lane = there, .high = {}};
#pragma unroll
    for (int bit = 0; bit < kLowBits + kHighBits; ++bit) {
      if (kGroups == 1 && bit >= bits_) break;
      const std::uint32_t set = ballot(bucket, 1u << bit);
      if (kMine) mine &= (bucket >> bit & 1) != 0 ? set : ~set;
      if (bit < kLowBits) {
        row.of_lane &= (threadIdx.x >> bit & 1) != 0 ? set : ~set;
      } else {
        row.high[bit - kLowBits] = set;
      }
    }
    return row;
  }
  __device__ void count(const Row& row) {
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
      std::uint32_t lanes = row.of_lane;
#pragma unroll
      for (int bit = 0; bit < kHighBits; ++bit) lanes &= (group >> bit & 1) != 0 ? row.high[bit] : ~row.high[bit];
      count_[group] += __popc(lanes);
    }
  }

  int bits_;
  std::uint32_t count_[kGroups] = {};
};

/// Counters in shared memory: the last lane of each bucket in a row updates its count, and no lane reads other buckets
/// than its own.
template <int kBallots>
class SharedCounters {
 public:
  static constexpr bool kInRegisters = false;

  /// `counts`: the warp's counts in shared memory.
  __device__ SharedCounters(std::uint32_t* counts, std::uint32_t buckets) : counts_(counts) {
    for (std::uint32_t bucket = threadIdx.x % kWarp; bucket < buckets; bucket += kWarp) counts_[bucket] = 0;
    __syncwarp();
  }
  __device__ std::uint32_t place(std::uint32_t bucket) {
    std::uint32_t mine = ~0u;
#pragma unroll
    for (int bit = 0; bit < kBallots; ++bit) keep_peers(mine, bucket, 1u << bit);
    const std::uint32_t place = counts_[bucket] + __popc(mine & lanes_before());
    __syncwarp();
    if ((mine & lanes_after()) == 0) counts_[bucket] = place + 1;
    __syncwarp();
    return place;
  }

 private:
  std::uint32_t* counts_;
};

}  // namespace sortlab::multisplit
