// From the counts of a segment's digits to where each sub-bucket begins, and what becomes of it: a block of kThreads
// threads takes a segment.
#pragma once

#include "algorithms/msd_radix_gpu/block.cuh"

namespace sortlab::msd_gpu {

/// Of a segment with kMost digits at most.
template <std::uint32_t kMost = kDigits>
struct DivideShared {
  static constexpr std::uint32_t kFlagWords = kMost / kWarp;

  unsigned long long begins[kMost + 1];  ///< of digits, and where the last ends
  unsigned long long warps[kThreads / kWarp];
  std::uint32_t alone[kFlagWords];   ///< a bit a digit: more keys than merged buckets have
  std::uint32_t starts[kFlagWords];  ///< the first digit of a group
  Segment next[kMost];
  std::uint32_t next_number[kMost];
  std::uint32_t next_tile[kMost];
  std::uint32_t next_tiles[kMost];
  std::uint32_t next_count;
};

/// Whether bit `i` is set.
__device__ inline bool is_set(const std::uint32_t* words, std::uint32_t i) {
  return (words[i / kWarp] >> i % kWarp & 1) != 0;
}
/// The first of `bits` bits after `i` that is set, or `bits`.
__device__ inline std::uint32_t next_set(const std::uint32_t* words, std::uint32_t i, std::uint32_t bits) {
  std::uint32_t w = i / kWarp;
  std::uint32_t word = i % kWarp + 1 == kWarp ? 0 : words[w] >> (i % kWarp + 1) << (i % kWarp + 1);
  while (word == 0) {
    if (++w == bits / kWarp) return bits;
    word = words[w];
  }
  return w * kWarp + static_cast<std::uint32_t>(__ffs(static_cast<int>(word))) - 1;
}

/// Queues a segment for the next level; called by one thread per segment.
template <class Shared>
__device__ void list_next(const Lists& lists, int level, const Segment& segment, Shared& shared) {
  const auto tiles = static_cast<std::uint32_t>((segment.count + lists.tile_elements - 1) / lists.tile_elements);
  const std::uint32_t place = atomicAdd(&shared.next_count, 1U);
  const std::uint32_t number = atomicAdd(lists.state->segments + level, 1U);
  shared.next[place] = segment;
  shared.next[place].row = lists.rows + std::uint64_t{number} * kDigits;
  shared.next_number[place] = number;
  shared.next_tile[place] = atomicAdd(lists.state->tiles + level, tiles);
  shared.next_tiles[place] = tiles;
}

/// Writes the segments that list_next queued, and their tiles; called by all threads.
template <class Shared>
__device__ void write_next(const Lists& lists, int level, const Shared& shared) {
  const auto write = [&](std::uint32_t i, std::uint32_t thread, std::uint32_t threads) {
    const Segment& segment = shared.next[i];
    const std::uint32_t number = shared.next_number[i];
    if (thread == 0) lists.segments_of(level)[number] = segment;
    for (std::uint32_t t = thread; t < shared.next_tiles[i]; t += threads) {
      const std::uint64_t before = std::uint64_t{t} * lists.tile_elements, rest = segment.count - before;
      lists.tiles_of(level)[shared.next_tile[i] + t] = {
          segment.begin + before, static_cast<std::uint32_t>(min(rest, std::uint64_t{lists.tile_elements})), number};
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
}

__device__ inline void list_bucket(const Lists& lists, std::uint64_t begin, std::uint64_t count, int left, int side,
                                   bool merged) {
  int size_class = lists.class_of(count);
  const bool is_long = count > lists.ends[kClasses - 1];
  if (lists.counts_buckets && size_class > 0 && (left >= kCountedFrom || is_long) && left <= kCountedBits) {
    size_class = kCounted;
  }
  lists.buckets_of(size_class)[atomicAdd(lists.state->buckets + size_class, 1U)] = {
      .begin = begin,
      .count = static_cast<std::uint32_t>(count),
      .left = static_cast<std::uint8_t>(left),
      .side = static_cast<std::uint8_t>(side),
      .merged = static_cast<std::uint16_t>(merged)};
}

__device__ inline void list_table(const Lists& lists, std::uint64_t begin, std::uint64_t count, int left, int side) {
  Table table{.begin = begin,
              .count = count,
              .first_chunk = 0,
              .above = 0,
              .left = static_cast<std::uint8_t>(left),
              .side = static_cast<std::uint8_t>(side)};
  const unsigned long long place = atomicAdd(&lists.state->tables, 1ULL | std::uint64_t{table.chunks()} << 32);
  table.first_chunk = static_cast<std::uint32_t>(place >> 32);
  lists.tables[static_cast<std::uint32_t>(place)] = table;
}

/// A bucket of keys that agree but for `left` bits, which the level's partition or none of it leaves on `side`.
template <class Shared>
__device__ void list_child(const Lists& lists, int level, std::uint64_t begin, std::uint64_t count, int left, int side,
                           bool merged, Shared& shared) {
  if (count <= lists.ends[kClasses - 1] && left > 0) return list_bucket(lists, begin, count, left, side, merged);
  if (left == 0 && side == 0) return;
  if (lists.counts_buckets && left > 0 && left <= kCountedBits) {
    if (count <= kCountingElements) return list_bucket(lists, begin, count, left, side, merged);
    if (count >= kTableElements && count >> 32 == 0) return list_table(lists, begin, count, left, side);
  }
  list_next(lists, level + 1,
            {.begin = begin,
             .count = count,
             .row = nullptr,
             .left = static_cast<std::uint16_t>(left),
             .bits = static_cast<std::uint8_t>(min(left, kDigitBits)),
             .side = static_cast<std::uint8_t>(side),
             .kind = left == 0 ? Kind::copy : Kind::divide,
             .by_splitters = false},
            shared);
}

/// Of a segment's digits the first, or the last, holds keys outside of its range, which differ in `left` bits.
struct Outer {
  bool first = false, last = false;
  int left = 0;

  /// Of digits [begin, end) of `digits`, whose keys otherwise differ in `inner` bits.
  __device__ int left_of(std::uint32_t begin, std::uint32_t end, std::uint32_t digits, int inner) const {
    return (first && begin == 0) || (last && end >= digits) ? left : inner;
  }
};

/// Lists what is left to do with each digit of a segment, which begin at shared.begins and are moved to `side`.
/// Neighbours with few keys are a group, and sorted as one. `number`: of the segment in its level.
template <std::uint32_t kMost>
__device__ void list_digits(const Lists& lists, int level, const Segment& segment, std::uint32_t number, int side,
                            const Outer& outer, DivideShared<kMost>& shared) {
  constexpr std::uint32_t kOfThread = (kMost + kThreads - 1) / kThreads;
  const auto digit_of_thread = [](std::uint32_t k) { return k * kThreads + threadIdx.x; };
  const auto keys_of = [&](std::uint32_t d) { return shared.begins[d + 1] - shared.begins[d]; };
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) {
    const std::uint32_t d = digit_of_thread(k);
    const std::uint32_t alone = __ballot_sync(kAllLanes, d < kMost && keys_of(d) > lists.merged_elements);
    if (d < kMost && d % kWarp == 0) shared.alone[d / kWarp] = alone;
  }
  __syncthreads();
  const bool is_short = segment.count >> 32 == 0;  // a division of 64 bits takes many instructions
  const auto group_of = [&](std::uint32_t d) {
    const unsigned long long before = shared.begins[d] - segment.begin;
    return is_short ? static_cast<std::uint32_t>(before) / lists.merged_elements : before / lists.merged_elements;
  };
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) {
    const std::uint32_t d = digit_of_thread(k);
    const bool starts = d < kMost && (d == 0 || is_set(shared.alone, d) || is_set(shared.alone, d - 1) ||
                                      group_of(d) != group_of(d - 1));
    const std::uint32_t starts_here = __ballot_sync(kAllLanes, starts);
    if (d < kMost && d % kWarp == 0) shared.starts[d / kWarp] = starts_here;
  }
  __syncthreads();
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) {
    const std::uint32_t d = digit_of_thread(k);
    if (d >= kMost || !is_set(shared.starts, d)) continue;
    const std::uint32_t end = next_set(shared.starts, d, kMost);
    const unsigned long long begin = shared.begins[d], keys = shared.begins[end] - begin;
    if (keys == 0) continue;
    const bool one_digit = end == d + 1 || keys_of(d) == keys;
    int left = segment.shift();
    if (segment.by_splitters) {
      left = lists.lefts_of(number)[d];
      // What is small goes into the result as a bucket, in order or not.
      if (keys <= lists.ends[kClasses - 1]) left = max(left, 1);
    }
    left = outer.left_of(d, end, segment.digits(), one_digit ? left : segment.left);
    list_child(lists, level, begin, keys, left, side, !one_digit || segment.by_splitters, shared);
  }
  __syncthreads();
  write_next(lists, level + 1, shared);
  __syncthreads();
}

/// `number`: of the segment in its level. `differ`: bits in which the segment's keys differ, two words, or null if
/// not known. Decides the segment's kind, turns its row into where sub-buckets begin, and lists what is left to do
/// with each.
__device__ inline void divide_segment(const Lists& lists, int level, Segment& segment, std::uint32_t number,
                                      const unsigned long long* differ, const Outer& outer, DivideShared<>& shared) {
  const std::uint32_t d = threadIdx.x;
  const unsigned long long count = d < segment.digits() ? segment.row[d] : 0;
  if (d == 0) shared.next_count = 0;
  unsigned long long all;
  const unsigned long long begin = segment.begin + exclusive_sum(count, all, shared.warps);
  if (d < kDigits) shared.begins[d] = begin;
  if (d == 0) shared.begins[kDigits] = segment.begin + segment.count;
  const bool is_whole = count == segment.count;
  const bool whole = __syncthreads_or(is_whole) != 0;
  if (whole) {
    if (is_whole) {
      const int agree =
          differ != nullptr ? bit_length(differ) : outer.left_of(d, d + 1, segment.digits(), segment.shift());
      segment.kind = Kind::done;
      list_child(lists, level, segment.begin, segment.count, agree, segment.side, false, shared);
    }
    __syncthreads();
    write_next(lists, level + 1, shared);
    __syncthreads();
    return;
  }
  if (d < segment.digits()) segment.row[d] = begin;
  const int side = 1 - segment.side;
  if (segment.shift() == 0 && !segment.by_splitters) {
    if (d == 0) {
      segment.kind = lists.has_values ? Kind::divide : Kind::fill;
      if (lists.has_values) list_child(lists, level, segment.begin, segment.count, 0, side, false, shared);
    }
    __syncthreads();
    write_next(lists, level + 1, shared);
    __syncthreads();
    return;
  }
  if (d == 0) segment.kind = Kind::divide;
  list_digits(lists, level, segment, number, side, outer, shared);
}

__device__ inline void divide_level(const Lists& lists, int level, DivideShared<>& shared) {
  const std::uint32_t segments = lists.state->segments[level];
  for (std::uint32_t s = blockIdx.x; s < segments; s += gridDim.x) {
    Segment& segment = lists.segments_of(level)[s];
    if (segment.kind == Kind::copy) continue;
    divide_segment(lists, level, segment, s, lists.differ + 2 * std::uint64_t{s}, {}, shared);
  }
}

/// As the only segment of a level.
__device__ inline Segment all_keys(const Lists& lists, int key_bits) {
  return {.begin = 0,
          .count = lists.n,
          .row = lists.rows,
          .left = static_cast<std::uint16_t>(key_bits),
          .bits = kDigitBits,
          .side = 0,
          .kind = Kind::divide,
          .by_splitters = false};
}

/// Their tiles, by all threads of all blocks.
__device__ inline void list_tiles_of_all(const Lists& lists, int level) {
  const std::uint64_t tile = lists.tile_elements, tiles = (lists.n + tile - 1) / tile;
  for (std::uint64_t t = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; t < tiles;
       t += std::uint64_t{gridDim.x} * blockDim.x) {
    const std::uint64_t begin = t * tile, rest = lists.n - begin;
    lists.tiles_of(level)[t] = {begin, static_cast<std::uint32_t>(rest < tile ? rest : tile), 0};
  }
}

/// Of the counts of the top bits: the sum of those of each first digit, whose row they become. A block a first digit,
/// or two that are in pairs.
__global__ static void __launch_bounds__(kDigits) sum_top(Lists lists) {
  wait_for_previous_kernel();
  __shared__ unsigned long long warps[kDigits / kWarp];
  const Top& top = lists.top_levels;
  const std::uint32_t upper = blockIdx.x + (1U << (top.first_bits - 1));
  const bool is_digit = threadIdx.x >> top.second_bits == 0;
  unsigned long long* const row = lists.top + (blockIdx.x << top.second_bits);
  unsigned long long count = is_digit ? row[threadIdx.x] : 0, all;
  if (lists.counts_in_pairs()) {
    if (upper >> top.first_bits != 0) return;
    const unsigned long long count_of_upper = count >> 32;
    count &= 0xFFFFFFFF;
    if (is_digit) {
      row[threadIdx.x] = count;
      lists.top[(upper << top.second_bits) + threadIdx.x] = count_of_upper;
    }
    exclusive_sum(count_of_upper, all, warps);
    if (threadIdx.x == 0) lists.state->tops[upper] = all;
    __syncthreads();
  }
  exclusive_sum(count, all, warps);
  if (threadIdx.x == 0) lists.state->tops[blockIdx.x] = all;
}

/// All keys are a segment with splitters, as the count of the top bits found.
__device__ inline void skip_top_levels(const Lists& lists, int key_bits) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    lists.state->segments[kTopLevels] = 1;
    lists.state->tiles[kTopLevels] =
        static_cast<std::uint32_t>((lists.n + lists.tile_elements - 1) / lists.tile_elements);
    lists.segments_of(kTopLevels)[0] = all_keys(lists, key_bits);
  }
  list_tiles_of_all(lists, kTopLevels);
}

/// All keys agree in what was counted, and are a segment of the next level. `left`: bits in which they differ. By a
/// block.
template <class Shared>
__device__ void skip_counted_bits(const Lists& lists, int left, Shared& shared) {
  if (left == 0) return;  // all keys are equal
  if (threadIdx.x == 0) {
    shared.next_count = 0;
    list_child(lists, kTopLevels - 1, 0, lists.n, left, 0, false, shared);
  }
  __syncthreads();
  write_next(lists, kTopLevels, shared);
}

/// The first two levels, from the counts of the top bits: the segment of all keys, and a segment a first digit, each by
/// a block.
__global__ static void __launch_bounds__(kThreads) divide_top(Lists lists, int key_bits) {
  wait_for_previous_kernel();
  __shared__ DivideShared<> shared;
  __shared__ unsigned long long begins[(1U << kMostFirstBits) + 1];
  const Top& top = lists.top_levels;
  const std::uint32_t d = threadIdx.x, mine = blockIdx.x, digits = 1U << top.first_bits;
  State& state = *lists.state;
  const unsigned long long keys_of_digit = d < digits ? state.tops[d] : 0;
  if (d == 0) shared.next_count = 0;
  unsigned long long all;
  const unsigned long long before = exclusive_sum(keys_of_digit, all, shared.warps);
  if (d < digits) begins[d] = before;
  if (d == 0) begins[digits] = lists.n;
  const bool whole = __syncthreads_or(keys_of_digit == lists.n) != 0;
  const int left = bit_length(state.differ), range = static_cast<int>(state.range_bits);
  if (mine == 0) {
    if (d < digits) state.first_row[d] = before;
    if (d == 0) {
      state.first = {.begin = 0,
                     .count = lists.n,
                     .row = state.first_row,
                     .left = static_cast<std::uint16_t>(range),
                     .bits = static_cast<std::uint8_t>(top.first_bits),
                     .side = 0,
                     .kind = state.skips_top == 0 && !whole ? Kind::divide : Kind::done,
                     .by_splitters = false};
    }
  }
  if (state.skips_top != 0) return skip_top_levels(lists, key_bits);
  if (left <= range - top.bits()) {
    if (mine == 0) skip_counted_bits(lists, left, shared);
    return;
  }
  const unsigned long long begin = begins[mine], count = begins[mine + 1] - begin;
  if (count == 0) return;
  constexpr int kLevel = kTopLevels - 1;
  // Its tiles first: divide_segment uses the same places.
  if (d == 0) {
    list_next(lists, kLevel,
              {.begin = begin,
               .count = count,
               .row = nullptr,
               .left = static_cast<std::uint16_t>(range - top.first_bits),
               .bits = static_cast<std::uint8_t>(top.second_bits),
               .side = static_cast<std::uint8_t>(whole ? 0 : 1),
               .kind = Kind::divide,
               .by_splitters = false},
              shared);
    shared.next[0].row = lists.top + (mine << top.second_bits);
  }
  __syncthreads();
  write_next(lists, kLevel, shared);
  __syncthreads();
  const bool is_outside = left > range;
  divide_segment(lists, kLevel, lists.segments_of(kLevel)[shared.next_number[0]], 0, nullptr,
                 {.first = is_outside && mine == 0, .last = is_outside && mine == digits - 1, .left = key_bits},
                 shared);
}

}  // namespace sortlab::msd_gpu
