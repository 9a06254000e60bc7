// Counts the next digit of the keys in a few ranges.
#pragma once

#include "algorithms/common/cuda/bucket_sorter.hpp"
#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/multi_gpu_radix/block.cuh"
#include "algorithms/multi_gpu_radix/plan.hpp"

namespace sortlab::multi_gpu {

/// A CountPass for a kernel.
template <class Word>
struct Ranges {
  int count = 0;
  int bits = 0;  ///< low bits in which the keys of a range differ
  int digit_bits = 0;
  Word first[kMaxCuts]{};

  explicit Ranges(const CountPass& pass)
      : count(static_cast<int>(pass.ranges.size())), bits(pass.ranges[0].bits), digit_bits(pass.digit_bits) {
    for (int r = 0; r < count; ++r) first[r] = static_cast<Word>(pass.ranges[static_cast<std::size_t>(r)].first);
  }
  bool is_all() const { return bits == 8 * static_cast<int>(sizeof(Word)); }
};

/// Loads that a thread has in flight.
template <class Word>
inline constexpr int kCountAhead = sizeof(Word) == 4   ? 16
                                   : sizeof(Word) == 8 ? 8
                                                       : 4;

/// Adds to `counts` the keys of each range by the highest `digit_bits` of its `bits` low bits. kAll: the only range has
/// all keys.
template <class Word, bool kAll>
__global__ void __launch_bounds__(kCountThreads) count_ranges(const Word* keys, std::uint64_t n, KeyOrder<Word> order,
                                                              Ranges<Word> ranges, unsigned long long* counts) {
  __shared__ std::uint32_t counters[kCounters];
  const std::uint32_t used = static_cast<std::uint32_t>(ranges.count) << ranges.digit_bits;
  for (std::uint32_t c = threadIdx.x; c < used; c += kCountThreads) counters[c] = 0;
  __syncthreads();
  const int shift = ranges.bits - ranges.digit_bits;
  const std::uint32_t mask = (1U << ranges.digit_bits) - 1;
  const auto visit = [&](Word key) {
    const Word ordered = order.ordered(key);
    const std::uint32_t digit = static_cast<std::uint32_t>(ordered >> shift) & mask;
    if constexpr (kAll) {
      atomicAdd(counters + digit, 1U);
    } else {
      for (int r = 0; r < ranges.count; ++r) {
        if ((ordered ^ ranges.first[r]) >> ranges.bits == 0) {
          atomicAdd(counters + (static_cast<std::uint32_t>(r) << ranges.digit_bits) + digit, 1U);
        }
      }
    }
  };
  constexpr int kAhead = kCountAhead<Word>;
  constexpr std::uint64_t kBatch = std::uint64_t{kAhead} * kCountThreads;
  for (std::uint64_t begin = blockIdx.x * kBatch; begin < n; begin += gridDim.x * kBatch) {
    Word ahead[kAhead];
    if (begin + kBatch <= n) {
#pragma unroll
      for (int k = 0; k < kAhead; ++k) ahead[k] = keys[begin + threadIdx.x + k * kCountThreads];
#pragma unroll
      for (int k = 0; k < kAhead; ++k) visit(ahead[k]);
    } else {
      for (std::uint64_t i = begin + threadIdx.x; i < n; i += kCountThreads) visit(keys[i]);
    }
  }
  __syncthreads();
  for (std::uint32_t c = threadIdx.x; c < used; c += kCountThreads) {
    if (counters[c] != 0) atomicAdd(counts + c, static_cast<unsigned long long>(counters[c]));
  }
}

/// Sums neighbouring counts of the highest kTopCountBits bits to those of the highest kCounterBits.
__global__ static void __launch_bounds__(kThreads)
    sum_top_counts(const unsigned long long* top, unsigned long long* counts) {
  constexpr std::uint32_t kEach = 1U << (kTopCountBits - kCounterBits);
  const std::uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  unsigned long long sum = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < kEach; ++k) sum += top[i * kEach + k];
  counts[i] = sum;
}

/// Counts of the highest kTopCountBits bits in the memory of each lane's device.
struct TopCounts {
  const unsigned long long* of_lane[kMaxLanes];
  int lanes;
};

/// Sums the counts of all lanes in the rows of the digits from `first` on. A block takes one.
__global__ static void __launch_bounds__(kDigits)
    sum_rows(TopCounts counts, std::uint32_t first, unsigned long long* rows) {
  const std::uint32_t i = (first + blockIdx.x) * kDigits + threadIdx.x;
  unsigned long long sum = 0;
  for (int l = 0; l < counts.lanes; ++l) sum += counts.of_lane[l][i];
  rows[i] = sum;
}

}  // namespace sortlab::multi_gpu
