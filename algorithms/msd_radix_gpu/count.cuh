// Counts of digits, and of the bits in which keys differ at all.
#pragma once

#include "algorithms/msd_radix_gpu/block.cuh"

namespace sortlab::msd_gpu {

inline constexpr std::uint32_t kTopWords = kTopDigits / 2;  ///< of shared memory: two counters of 16 bits, or one of 32
inline constexpr std::uint32_t kTopBytes = kTopWords * 4;

/// Calls `visit(key)` for the keys in [begin, end), all threads together; several loads of a thread are under way.
template <class Word, class Visit>
__device__ void visit_keys(const Word* keys, std::uint64_t begin, std::uint64_t end, const Visit& visit) {
  constexpr int kAhead = sizeof(Word) == 4 ? 16 : sizeof(Word) == 8 ? 8 : 4;
  std::uint64_t i = begin + threadIdx.x;
  for (; i + (kAhead - 1) * std::uint64_t{blockDim.x} < end; i += kAhead * std::uint64_t{blockDim.x}) {
    Word ahead[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) ahead[k] = keys[i + k * std::uint64_t{blockDim.x}];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) visit(ahead[k]);
  }
  for (; i < end; i += blockDim.x) visit(keys[i]);
}

/// A block's counts of the top bits in shared memory.
struct TopCounts {
  std::uint32_t* words;
  std::uint32_t count;  ///< of the words: half of the digits

  __device__ void clear() const {
    for (std::uint32_t w = threadIdx.x; w < count; w += blockDim.x) words[w] = 0;
    __syncthreads();
  }
  /// In 16 bits, which may overflow.
  __device__ void add_packed(std::uint32_t digit) const {
    atomicAdd(words + (digit & (count - 1)), digit < count ? 1U : 1U << 16);
  }
  /// The most that a counter has, and the sum of all. An overflow takes from the sum 65535 or 65536, and adds nothing.
  __device__ void inspect(std::uint32_t& most, std::uint32_t& sum, std::uint32_t* shared) const {
    std::uint32_t mine = 0, total = 0;
    for (std::uint32_t w = threadIdx.x; w < count; w += blockDim.x) {
      const std::uint32_t low = words[w] & 0xFFFF, high = words[w] >> 16;
      mine = max(mine, max(low, high));
      total += low + high;
    }
    if (threadIdx.x < 2) shared[threadIdx.x] = 0;
    __syncthreads();
    mine = max_of_warp(mine);
    total = sum_of_warp(total);
    if (threadIdx.x % kWarp == 0) {
      atomicMax(shared, mine);
      atomicAdd(shared + 1, total);
    }
    __syncthreads();
    most = shared[0];
    sum = shared[1];
    __syncthreads();
  }
  /// Adds them to the device's.
  __device__ void flush_packed(unsigned long long* top) const {
    for (std::uint32_t w = threadIdx.x; w < count; w += blockDim.x) {
      const std::uint32_t word = words[w];
      if ((word & 0xFFFF) != 0) atomicAdd(top + w, static_cast<unsigned long long>(word & 0xFFFF));
      if (word >> 16 != 0) atomicAdd(top + count + w, static_cast<unsigned long long>(word >> 16));
    }
  }
  __device__ void flush_wide(unsigned long long* top) const {
    for (std::uint32_t w = threadIdx.x; w < count; w += blockDim.x) {
      if (words[w] != 0) atomicAdd(top + w, static_cast<unsigned long long>(words[w]));
    }
  }
};

/// Counts the top bits of all keys. A block counts in 16 bits, two counters a word. Where a sample of its keys says
/// that one would overflow, or the sum says that one did, it reads its keys twice and counts in 32 bits, one half of
/// the digits each time.
template <class Word>
__global__ void __launch_bounds__(kTopThreads, 1)
    count_top(const Word* keys, std::uint64_t n, KeyOrder<Word> order, Lists lists) {
  const int shift = static_cast<int>(8 * sizeof(Word)) - kDigitBits - lists.second_bits;
  constexpr std::uint64_t kSampled = 16384;
  constexpr std::uint64_t kMost = 0xFFFF;
  extern __shared__ uint4 shared[];
  __shared__ std::uint32_t scratch[2];
  const TopCounts counts{reinterpret_cast<std::uint32_t*>(shared), kDigits << lists.second_bits >> 1};
  const std::uint64_t share = ((n + gridDim.x - 1) / gridDim.x + 31) / 32 * 32;
  const std::uint64_t begin = min(n, blockIdx.x * share), end = min(n, begin + share);
  if (begin == end) return;
  const Word first = keys[0];
  Word differ = 0;
  const auto packed = [&](Word key) {
    differ |= key ^ first;
    counts.add_packed(static_cast<std::uint32_t>(order.ordered(key) >> shift));
  };
  counts.clear();
  const std::uint64_t sampled = min(end, begin + kSampled);
  visit_keys(keys, begin, sampled, packed);
  __syncthreads();
  bool wide = false;
  std::uint32_t most, sum;
  if (end - begin > kMost) {
    counts.inspect(most, sum, scratch);
    wide = most * ((end - begin) / kSampled + 1) > kMost / 4 * 3;
  }
  if (!wide) {
    visit_keys(keys, sampled, end, packed);
    __syncthreads();
    if (end - begin > kMost) {
      counts.inspect(most, sum, scratch);
      wide = sum != end - begin;
    }
  }
  if (!wide) {
    counts.flush_packed(lists.top);
  } else {
    for (std::uint32_t half = 0; half < 2; ++half) {
      __syncthreads();
      counts.clear();
      visit_keys(keys, begin, end, [&](Word key) {
        differ |= key ^ first;
        const auto digit = static_cast<std::uint32_t>(order.ordered(key) >> shift);
        if ((digit >= counts.count) == (half != 0)) atomicAdd(counts.words + (digit & (counts.count - 1)), 1U);
      });
      __syncthreads();
      counts.flush_wide(lists.top + half * counts.count);
    }
  }
  or_into(lists.state->differ, differ);
}

/// Counts the digits of a level's segments: a block takes tiles in a row, and adds up while they are of one segment.
template <class Word, class V>
__device__ void count_level(const Arrays<Word, V>& arrays, const Lists& lists, int level, std::uint32_t* counts) {
  const std::uint32_t tiles = lists.state->tiles[level];
  const std::uint32_t share = (tiles + gridDim.x - 1) / gridDim.x;
  const std::uint32_t begin = min(tiles, blockIdx.x * share), end = min(tiles, begin + share);
  for (std::uint32_t d = threadIdx.x; d < kDigits; d += blockDim.x) counts[d] = 0;
  __syncthreads();
  for (std::uint32_t t = begin; t < end;) {
    const std::uint32_t number = lists.tiles_of(level)[t].segment;
    const Segment segment = lists.segments_of(level)[number];
    const Word* keys = arrays.keys_on(segment.side);
    const std::uint64_t first_key = lists.tiles_of(level)[t].begin;
    std::uint64_t last_key = first_key;
    for (; t < end && lists.tiles_of(level)[t].segment == number; ++t) {
      last_key = lists.tiles_of(level)[t].begin + lists.tiles_of(level)[t].count;
    }
    if (segment.kind == Kind::copy) continue;
    const Word first = keys[segment.begin];
    Word differ = 0;
    visit_keys(keys, first_key, last_key, [&](Word key) {
      differ |= key ^ first;
      atomicAdd(counts + digit_of(arrays.order.ordered(key), segment.shift(), segment.digits()), 1U);
    });
    or_into(lists.differ + 2 * std::uint64_t{number}, differ);
    __syncthreads();
    for (std::uint32_t d = threadIdx.x; d < kDigits; d += blockDim.x) {
      if (counts[d] != 0) atomicAdd(segment.row + d, static_cast<unsigned long long>(counts[d]));
      counts[d] = 0;
    }
    __syncthreads();
  }
}

}  // namespace sortlab::msd_gpu
