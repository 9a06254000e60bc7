// Takes buckets that a partition elsewhere has made as the start of the levels.
#pragma once

#include "algorithms/common/cuda/bucket_sorter.hpp"
#include "algorithms/msd_radix_gpu/divide.cuh"

namespace sortlab::msd_gpu {

/// Lists the next step of each given bucket, in place of the top levels. The elements lie in buffer 1. A bucket with a
/// row of counts is divided by them, as divide_top does; the others are divided at the next level. A block takes one
/// bucket.
__global__ static void __launch_bounds__(kThreads)
    list_given_buckets(Lists lists, const KeyBucket* given, unsigned long long* rows) {
  static_assert(kMaxKeyBuckets <= kThreads);
  wait_for_previous_kernel();
  __shared__ DivideShared<> shared;
  __shared__ unsigned long long begin;
  const std::uint32_t thread = threadIdx.x, mine = blockIdx.x;
  const KeyBucket bucket = given[mine];
  if (bucket.count == 0) return;
  unsigned long long all;
  const unsigned long long before = exclusive_sum(thread < gridDim.x ? given[thread].count : 0, all, shared.warps);
  if (thread == mine) begin = before;
  if (thread == 0) shared.next_count = 0;
  __syncthreads();
  const bool is_large = bucket.count > lists.ends[kClasses - 1];
  if (!is_large || bucket.row < 0) {
    // Few keys become a bucket even if they are equal: they must be moved into the result.
    const std::uint32_t least = is_large ? 0 : 1;
    if (thread == 0) {
      list_child(lists, kTopLevels - 1, begin, bucket.count, static_cast<int>(max(bucket.bits_left, least)), 1, false,
                 shared);
    }
    __syncthreads();
    write_next(lists, kTopLevels, shared);
    return;
  }
  constexpr int kLevel = kTopLevels - 1;
  if (thread == 0) {
    list_next(lists, kLevel,
              {.begin = begin,
               .count = bucket.count,
               .row = nullptr,
               .bits_left = static_cast<std::uint16_t>(bucket.bits_left),
               .bits = kDigitBits,
               .buffer = 1,
               .kind = Kind::divide,
               .by_splitters = false},
              shared);
    shared.next[0].row = rows + static_cast<std::uint64_t>(bucket.row) * kDigits;
  }
  __syncthreads();
  write_next(lists, kLevel, shared);
  __syncthreads();
  divide_segment(lists, kLevel, lists.level_segments(kLevel)[shared.next_number[0]], 0, nullptr, {}, shared);
}

}  // namespace sortlab::msd_gpu
