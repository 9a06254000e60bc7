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
  const auto write = [&](std::uint32_t i, std::uint32_t thread, std::uint32_t threads) {
    const Segment& segment = shared.next[i];
    const std::uint32_t number = shared.next_number[i];
    if (thread == 0) lists.segments_of(level)[number] = segment;
    for (std::uint32_t t = thread; t < segment.tiles; t += threads) {
      lists.tiles_of(level)[segment.first_tile + t] = number;
    }
    for (std::uint32_t c = thread; c < segment.chunks; c += threads) {
      lists.chunks_of(level)[segment.first_chunk + c] = number;
    }
  };
  // By the block, or, where they are many, each by a warp.
  constexpr std::uint32_t kWarps = kThreads / kWarp;
  if (shared.next_count < kWarps) {
    for (std::uint32_t i = 0; i < shared.next_count; ++i) write(i, threadIdx.x, kThreads);
  } else {
    for (std::uint32_t i = threadIdx.x / kWarp; i < shared.next_count; i += kWarps) {
      write(i, threadIdx.x % kWarp, kWarp);
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
      .merged = static_cast<std::uint16_t>(merged)};
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

/// Calls `visit(row, keys)` for the counts of one digit in chunks [from, to), many of which are read at once.
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

/// All keys by the next digit in which they differ, on `side`, after those below bit `from` or by none yet.
__device__ inline void list_ascending(const Lists& lists, int level, const unsigned long long* differ, int from,
                                      int side, DivideShared& shared) {
  const int bits = bit_length(differ);
  int shift = from;
  while (shift < bits && (differ[shift / 64] >> shift % 64 & 1) == 0) ++shift;
  if (shift < bits) return list_next(lists, level + 1, lists.ascending(shift, bits - shift, side), shared);
  if (side != 0) list_next(lists, level + 1, lists.segment(0, lists.n, 0, side), shared);
}

__device__ inline void divide_segment(const Lists& lists, int level, Segment& segment, DivideShared& shared) {
  const std::uint32_t d = threadIdx.x % kDigits, group = threadIdx.x / kDigits;
  const std::uint32_t of_group = (segment.chunks + kGroups - 1) / kGroups;
  const std::uint32_t from = min(group * of_group, segment.chunks), to = min(from + of_group, segment.chunks);
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
  // Where keys are few and one digit has most of them, levels from the highest digit on would be no fewer than from the
  // lowest on, which need no buckets. Of many keys the former write longer runs.
  const bool may_ascend = lists.one_level && segment.count == lists.n && !segment.ascends;
  const bool ascends = __syncthreads_or(may_ascend && count > lists.n / 2) != 0;
  if (whole && segment.ascends) {
    if (threadIdx.x == 0) {
      segment.kind = Kind::done;
      list_ascending(lists, level, segment.differ, segment.left, segment.side, shared);
    }
  } else if (whole) {
    // All keys have one digit: the next is the highest in which they differ.
    if (threadIdx.x == 0) {
      segment.kind = Kind::done;
      list_child(lists, level, segment.begin, segment.count, bit_length(segment.differ), segment.side, false, shared);
    }
  } else if (ascends) {
    if (threadIdx.x == 0) {
      segment.kind = Kind::done;
      list_ascending(lists, level, segment.differ, 0, segment.side, shared);
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
      list_ascending(lists, level, segment.differ, segment.left, 1 - segment.side, shared);
    }
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
