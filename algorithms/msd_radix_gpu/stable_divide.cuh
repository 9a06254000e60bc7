// From the counts of a segment's chunks to where each chunk's keys of a digit go, and what becomes of each sub-bucket:
// a block takes a segment.
#pragma once

#include "algorithms/msd_radix_gpu/block.cuh"
#include "algorithms/msd_radix_gpu/stable_lists.hpp"

namespace sortlab::msd_gpu::stable {

inline constexpr std::uint32_t kFlagWords = kDigits / kWarp;
inline constexpr std::uint32_t kGroups = kThreads / kDigits;  ///< of threads, which share a segment's chunks

struct DivideShared {
  unsigned long long sums[kThreads];  ///< of the chunks of a group
  unsigned long long begins[kDigits + 1];
  unsigned long long warps[kThreads / kWarp];
  std::uint32_t alone[kFlagWords];   ///< a bit a digit: more keys than merged buckets have
  std::uint32_t starts[kFlagWords];  ///< the first digit of a group of sub-buckets
  Segment next[kDigits];
  std::uint32_t next_number[kDigits];
  std::uint32_t next_count;
};

/// Whether bit `i` is set.
__device__ inline bool is_set(const std::uint32_t* words, std::uint32_t i) {
  return (words[i / kWarp] >> i % kWarp & 1) != 0;
}
/// The first bit after `i` that is set, or kDigits.
__device__ inline std::uint32_t next_set(const std::uint32_t* words, std::uint32_t i) {
  std::uint32_t w = i / kWarp;
  std::uint32_t word = words[w] & ~1U << i % kWarp;
  while (word == 0) {
    if (++w == kFlagWords) return kDigits;
    word = words[w];
  }
  return w * kWarp + static_cast<std::uint32_t>(__ffs(static_cast<int>(word))) - 1;
}

/// Takes up what a segment leaves to the next level. One thread enters for each.
__device__ inline void list_next(const Lists& lists, int level, Segment segment, DivideShared& shared) {
  const std::uint32_t place = atomicAdd(&shared.next_count, 1U);
  shared.next_number[place] = atomicAdd(lists.state->segments + level, 1U);
  segment.first_tile = atomicAdd(lists.state->tiles + level, segment.tiles);
  segment.first_chunk = atomicAdd(lists.state->chunks + level, segment.chunks);
  shared.next[place] = segment;
}

/// Writes what list_next took up; all threads enter.
__device__ inline void write_next(const Lists& lists, int level, const DivideShared& shared) {
  __syncthreads();
  for (std::uint32_t i = 0; i < shared.next_count; ++i) {
    const Segment& segment = shared.next[i];
    const std::uint32_t number = shared.next_number[i];
    if (threadIdx.x == 0) lists.segments_of(level)[number] = segment;
    for (std::uint32_t t = threadIdx.x; t < segment.tiles; t += kThreads) {
      lists.tiles_of(level)[segment.first_tile + t] = number;
    }
    for (std::uint32_t c = threadIdx.x; c < segment.chunks; c += kThreads) {
      lists.chunks_of(level)[segment.first_chunk + c] = number;
    }
  }
  __syncthreads();
}

/// A bucket of keys that agree but for `left` bits, which the level's partition or none of it leaves on `side`.
__device__ inline void list_child(const Lists& lists, int level, std::uint64_t begin, std::uint64_t count, int left,
                                  int side, bool merged, DivideShared& shared) {
  if (left == 0 && side == 0) return;
  if (count > lists.ends[kClasses - 1]) {
    return list_next(lists, level + 1, lists.segment(begin, count, left, side), shared);
  }
  const int size_class = lists.class_of(count);
  lists.buckets_of(size_class)[atomicAdd(lists.state->buckets + size_class, 1U)] = {
      .begin = begin,
      .count = static_cast<std::uint32_t>(count),
      .left = static_cast<std::uint8_t>(left),
      .side = static_cast<std::uint8_t>(side),
      .merged = static_cast<std::uint8_t>(merged)};
}

/// Lists the sub-buckets of a segment, whose begins are in `shared`: this thread's digit has `count` keys.
__device__ inline void list_children(const Lists& lists, int level, const Segment& segment, unsigned long long count,
                                     DivideShared& shared) {
  const std::uint32_t d = threadIdx.x;
  const int side = 1 - segment.side;
  if (segment.shift() == 0) {  // no bits are left
    if (d == 0) list_child(lists, level, segment.begin, segment.count, 0, side, false, shared);
    return;
  }
  // Groups of neighbours that are sorted as one.
  const bool alone = d < kDigits && count > lists.merged_elements;
  const std::uint32_t alone_here = __ballot_sync(kAllLanes, alone);
  if (d < kDigits && d % kWarp == 0) shared.alone[d / kWarp] = alone_here;
  __syncthreads();
  const auto window_of = [&](std::uint32_t digit) {
    return (shared.begins[digit] - segment.begin) / lists.merged_elements;
  };
  const bool starts =
      d < kDigits && (d == 0 || alone || is_set(shared.alone, d - 1) || window_of(d) != window_of(d - 1));
  const std::uint32_t starts_here = __ballot_sync(kAllLanes, starts);
  if (d < kDigits && d % kWarp == 0) shared.starts[d / kWarp] = starts_here;
  __syncthreads();
  if (!starts) return;
  const std::uint32_t end = next_set(shared.starts, d);
  const unsigned long long begin = shared.begins[d], keys = shared.begins[end] - begin;
  if (keys == 0) return;
  const bool one_digit = end == d + 1 || count == keys;
  list_child(lists, level, begin, keys, one_digit ? segment.shift() : segment.left, side, !one_digit, shared);
}

__device__ inline void divide_segment(const Lists& lists, int level, Segment& segment, DivideShared& shared) {
  const std::uint32_t d = threadIdx.x % kDigits, group = threadIdx.x / kDigits;
  const std::uint32_t of_group = (segment.chunks + kGroups - 1) / kGroups;
  const std::uint32_t from = min(group * of_group, segment.chunks), to = min(from + of_group, segment.chunks);
  unsigned long long* const row = lists.chunk_row + std::uint64_t{segment.first_chunk} * kDigits + d;
  unsigned long long sum = 0;
#pragma unroll 16
  for (std::uint32_t c = from; c < to; ++c) sum += row[std::uint64_t{c} * kDigits];
  shared.sums[threadIdx.x] = sum;
  if (threadIdx.x == 0) shared.next_count = 0;
  __syncthreads();
  unsigned long long count = 0;
  for (std::uint32_t g = 0; group == 0 && g < kGroups; ++g) count += shared.sums[g * kDigits + d];
  unsigned long long all;
  const unsigned long long begin = segment.begin + exclusive_sum(count, all, shared.warps);
  if (group == 0) shared.begins[d] = begin;
  if (threadIdx.x == 0) shared.begins[kDigits] = segment.begin + segment.count;
  if (__syncthreads_or(group == 0 && count == segment.count) != 0) {
    // All keys have one digit: the next is the highest in which they differ.
    if (threadIdx.x == 0) {
      segment.kind = Kind::done;
      list_child(lists, level, segment.begin, segment.count, bit_length(segment.differ), segment.side, false, shared);
    }
  } else {
    unsigned long long next = shared.begins[d];
    for (std::uint32_t g = 0; g < group; ++g) next += shared.sums[g * kDigits + d];
#pragma unroll 16
    for (std::uint32_t c = from; c < to; ++c) {
      const unsigned long long keys = row[std::uint64_t{c} * kDigits];
      row[std::uint64_t{c} * kDigits] = next;
      next += keys;
    }
    list_children(lists, level, segment, count, shared);
  }
  write_next(lists, level + 1, shared);
}

__device__ inline void divide_level(const Lists& lists, int level, DivideShared& shared) {
  const std::uint32_t segments = lists.state->segments[level];
  for (std::uint32_t s = blockIdx.x; s < segments; s += gridDim.x) {
    Segment& segment = lists.segments_of(level)[s];
    if (segment.kind != Kind::copy) divide_segment(lists, level, segment, shared);
  }
}

}  // namespace sortlab::msd_gpu::stable
