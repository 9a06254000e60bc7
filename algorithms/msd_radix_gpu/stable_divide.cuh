// Turns the digit counts of a segment's chunks into the positions of each chunk's keys, and lists the next step of each
// sub-bucket. A block takes one segment.
#pragma once

#include "algorithms/msd_radix_gpu/block.cuh"
#include "algorithms/msd_radix_gpu/stable_lists.hpp"

namespace sortlab::msd_gpu::stable {

inline constexpr std::uint32_t kFlagWords = kDigits / kWarp;
inline constexpr std::uint32_t kGroups = kThreads / kDigits;  ///< groups of threads that share a segment's chunks

struct DivideShared {
  unsigned long long sums[kThreads];  ///< per group and digit: keys of the group's chunks
  unsigned long long begins[kDigits + 1];
  unsigned long long warps[kThreads / kWarp];
  std::uint32_t alone[kFlagWords];   ///< one bit per digit: set if it has more keys than a merged bucket may have
  std::uint32_t starts[kFlagWords];  ///< one bit per digit: set for the first digit of a merged group
  Segment next[kDigits];
  std::uint32_t next_number[kDigits];
  std::uint32_t next_count;
};

/// Appends a segment to the next level's list. Called by one thread per segment.
__device__ inline void list_next(const Lists& lists, int level, Segment segment, DivideShared& shared) {
  const std::uint32_t place = atomicAdd(&shared.next_count, 1U);
  shared.next_number[place] = atomicAdd(lists.state->segments + level, 1U);
  segment.first_tile = atomicAdd(lists.state->tiles + level, segment.tiles);
  segment.first_chunk = atomicAdd(lists.state->chunks + level, segment.chunks);
  shared.next[place] = segment;
}

/// Writes the segments that list_next queued. Called by all threads.
__device__ inline void write_next(const Lists& lists, int level, const DivideShared& shared) {
  __syncthreads();
  const auto write = [&](std::uint32_t i, std::uint32_t thread, std::uint32_t threads) {
    const Segment& segment = shared.next[i];
    const std::uint32_t number = shared.next_number[i];
    if (thread == 0) lists.level_segments(level)[number] = segment;
    for (std::uint32_t t = thread; t < segment.tiles; t += threads) {
      lists.level_tiles(level)[segment.first_tile + t] = number;
    }
    for (std::uint32_t c = thread; c < segment.chunks; c += threads) {
      lists.level_chunks(level)[segment.first_chunk + c] = number;
    }
  };
  share_items<kThreads>(shared.next_count, write);
  __syncthreads();
}

/// Lists a sub-bucket for its next step. Its keys differ in `bits_left` low bits and lie in `buffer`: the level's
/// partition has moved them there, or left them in place.
__device__ inline void list_child(const Lists& lists, int level, std::uint64_t begin, std::uint64_t count,
                                  int bits_left, int buffer, bool merged, DivideShared& shared) {
  if (bits_left == 0 && buffer == 0) return;
  if (count > lists.ends[kClasses - 1]) {
    return list_next(lists, level + 1, lists.segment(begin, count, bits_left, buffer), shared);
  }
  const int size_class = lists.size_class_for(count);
  lists.class_buckets(size_class)[atomicAdd(lists.state->buckets + size_class, 1U)] = {
      .begin = begin,
      .count = static_cast<std::uint32_t>(count),
      .bits_left = static_cast<std::uint8_t>(bits_left),
      .buffer = static_cast<std::uint8_t>(buffer),
      .merged = static_cast<std::uint16_t>(merged)};
}

/// Lists the sub-buckets of a segment, whose begins are in `shared`. `count`: number of keys of this thread's digit.
__device__ inline void list_children(const Lists& lists, int level, const Segment& segment, unsigned long long count,
                                     DivideShared& shared) {
  const std::uint32_t d = threadIdx.x;
  const int buffer = 1 - segment.buffer;
  if (segment.shift() == 0) {  // no bits are left
    if (d == 0) list_child(lists, level, segment.begin, segment.count, 0, buffer, false, shared);
    return;
  }
  // Find groups of small neighbours to be sorted as one bucket.
  const bool alone = d < kDigits && count > lists.merged_elements;
  const std::uint32_t alone_here = __ballot_sync(kAllLanes, alone);
  if (d < kDigits && d % kWarp == 0) shared.alone[d / kWarp] = alone_here;
  __syncthreads();
  const auto window = [&](std::uint32_t digit) {
    return (shared.begins[digit] - segment.begin) / lists.merged_elements;
  };
  const bool starts = d < kDigits && (d == 0 || alone || is_set(shared.alone, d - 1) || window(d) != window(d - 1));
  const std::uint32_t starts_here = __ballot_sync(kAllLanes, starts);
  if (d < kDigits && d % kWarp == 0) shared.starts[d / kWarp] = starts_here;
  __syncthreads();
  if (!starts) return;
  const std::uint32_t end = next_set(shared.starts, d, kDigits);
  const unsigned long long begin = shared.begins[d], keys = shared.begins[end] - begin;
  if (keys == 0) return;
  const bool one_digit = end == d + 1 || count == keys;
  list_child(lists, level, begin, keys, one_digit ? segment.shift() : segment.bits_left, buffer, !one_digit, shared);
}

/// Calls `visit(row, keys)` for the counts of one digit in chunks [from, to); many are loaded at a time.
template <class Visit>
__device__ void visit_chunks(unsigned long long* column, std::uint32_t from, std::uint32_t to, const Visit& visit) {
  constexpr std::uint32_t kBatch = 16;
  for (std::uint32_t c = from; c < to; c += kBatch) {
    unsigned long long keys[kBatch];
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) keys[i] = c + i < to ? column[std::uint64_t{c + i} * kDigits] : 0;
#pragma unroll
    for (std::uint32_t i = 0; i < kBatch; ++i) {
      if (c + i < to) visit(column[std::uint64_t{c + i} * kDigits], keys[i]);
    }
  }
}

/// Lists all keys, which lie in `buffer`, for the next LSD pass: by the lowest digit from bit `from` on in which they
/// differ. If there is none, they are only copied into the result.
__device__ inline void list_ascending(const Lists& lists, int level, const unsigned long long* differ, int from,
                                      int buffer, DivideShared& shared) {
  const int bits = bit_length(differ);
  int shift = from;
  while (shift < bits && (differ[shift / 64] >> shift % 64 & 1) == 0) ++shift;
  if (shift < bits) return list_next(lists, level + 1, lists.ascending(shift, bits - shift, buffer), shared);
  if (buffer != 0) list_next(lists, level + 1, lists.segment(0, lists.n, 0, buffer), shared);
}

__device__ inline void divide_segment(const Lists& lists, int level, Segment& segment, DivideShared& shared) {
  const std::uint32_t d = threadIdx.x % kDigits, group = threadIdx.x / kDigits;
  const std::uint32_t group_chunks = (segment.chunks + kGroups - 1) / kGroups;
  const std::uint32_t from = min(group * group_chunks, segment.chunks), to = min(from + group_chunks, segment.chunks);
  unsigned long long* const column = lists.chunk_row + std::uint64_t{segment.first_chunk} * kDigits + d;
  unsigned long long sum = 0;
  visit_chunks(column, from, to, [&](unsigned long long&, unsigned long long keys) { sum += keys; });
  shared.sums[threadIdx.x] = sum;
  if (threadIdx.x == 0) shared.next_count = 0;
  __syncthreads();
  unsigned long long count = 0;
  for (std::uint32_t g = 0; group == 0 && g < kGroups; ++g) count += shared.sums[g * kDigits + d];
  unsigned long long all;
  const unsigned long long begin = segment.begin + exclusive_sum(count, all, shared.warps);
  if (group == 0) shared.begins[d] = begin;
  if (threadIdx.x == 0) shared.begins[kDigits] = segment.begin + segment.count;
  const bool whole = __syncthreads_or(count == segment.count) != 0;
  // If the input is small and one digit has most of the keys, MSD levels would be no fewer than LSD passes, which need
  // no buckets. For large inputs MSD levels write longer runs.
  const bool may_ascend = lists.one_level && segment.count == lists.n && !segment.ascends;
  const bool ascends = __syncthreads_or(may_ascend && count > lists.n / 2) != 0;
  if (whole && segment.ascends) {
    if (threadIdx.x == 0) {
      segment.kind = Kind::done;
      list_ascending(lists, level, segment.differ, segment.bits_left, segment.buffer, shared);
    }
  } else if (whole) {
    // All keys share a digit: the next one is the highest in which they differ.
    if (threadIdx.x == 0) {
      segment.kind = Kind::done;
      list_child(lists, level, segment.begin, segment.count, bit_length(segment.differ), segment.buffer, false, shared);
    }
  } else if (ascends) {
    if (threadIdx.x == 0) {
      segment.kind = Kind::done;
      list_ascending(lists, level, segment.differ, 0, segment.buffer, shared);
    }
  } else {
    unsigned long long next = shared.begins[d];
    for (std::uint32_t g = 0; g < group; ++g) next += shared.sums[g * kDigits + d];
    visit_chunks(column, from, to, [&](unsigned long long& row, unsigned long long keys) {
      row = next;
      next += keys;
    });
    if (!segment.ascends) {
      list_children(lists, level, segment, count, shared);
    } else if (threadIdx.x == 0) {
      list_ascending(lists, level, segment.differ, segment.bits_left, 1 - segment.buffer, shared);
    }
  }
  write_next(lists, level + 1, shared);
}

__device__ inline void divide_level(const Lists& lists, int level, DivideShared& shared) {
  const std::uint32_t segments = lists.state->segments[level];
  for (std::uint32_t s = blockIdx.x; s < segments; s += gridDim.x) {
    Segment& segment = lists.level_segments(level)[s];
    if (segment.kind != Kind::copy) divide_segment(lists, level, segment, shared);
  }
}

}  // namespace sortlab::msd_gpu::stable
