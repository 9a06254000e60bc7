// Turns the digit counts of a segment into the begins of its sub-buckets, and decides how each is processed further. A
// block of kThreads threads takes one segment.
#pragma once

#include "algorithms/msd_radix_gpu/block.cuh"

namespace sortlab::msd_gpu {

/// Shared memory for dividing a segment of at most kMaxDigits digits.
template <std::uint32_t kMaxDigits = kDigits>
struct DivideShared {
  static constexpr std::uint32_t kFlagWords = kMaxDigits / kWarp;

  unsigned long long begins[kMaxDigits + 1];  ///< begin of each digit, and the end of the last
  unsigned long long warps[kThreads / kWarp];
  std::uint32_t alone[kFlagWords];   ///< one bit per digit: set if it has more keys than a merged bucket may have
  std::uint32_t starts[kFlagWords];  ///< one bit per digit: set for the first digit of a group
  Segment next[kMaxDigits];
  std::uint32_t next_number[kMaxDigits];
  std::uint32_t next_tile[kMaxDigits];
  std::uint32_t next_tiles[kMaxDigits];
  std::uint32_t next_count;
};

/// Queues a segment for the next level. Called by one thread per segment.
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

/// Writes the segments that list_next queued, and their tiles. Called by all threads.
template <class Shared>
__device__ void write_next(const Lists& lists, int level, const Shared& shared) {
  const auto write = [&](std::uint32_t i, std::uint32_t thread, std::uint32_t threads) {
    const Segment& segment = shared.next[i];
    const std::uint32_t number = shared.next_number[i];
    if (thread == 0) lists.level_segments(level)[number] = segment;
    for (std::uint32_t t = thread; t < shared.next_tiles[i]; t += threads) {
      const std::uint64_t before = std::uint64_t{t} * lists.tile_elements, rest = segment.count - before;
      lists.level_tiles(level)[shared.next_tile[i] + t] = {
          segment.begin + before, static_cast<std::uint32_t>(min(rest, std::uint64_t{lists.tile_elements})), number};
    }
  };
  share_items<kThreads>(shared.next_count, write);
}

__device__ inline void list_bucket(const Lists& lists, std::uint64_t begin, std::uint64_t count, int bits_left,
                                   int buffer, bool merged) {
  int size_class = lists.size_class_for(count);
  const bool is_long = count > lists.ends[kClasses - 1];
  if (lists.counts_buckets && size_class > 0 && (bits_left >= kCountedFrom || is_long) && bits_left <= kCountedBits) {
    size_class = kCounted;
  }
  lists.class_buckets(size_class)[atomicAdd(lists.state->buckets + size_class, 1U)] = {
      .begin = begin,
      .count = static_cast<std::uint32_t>(count),
      .bits_left = static_cast<std::uint8_t>(bits_left),
      .buffer = static_cast<std::uint8_t>(buffer),
      .merged = static_cast<std::uint16_t>(merged)};
}

__device__ inline void list_table(const Lists& lists, std::uint64_t begin, std::uint64_t count, int bits_left,
                                  int buffer) {
  Table table{.begin = begin,
              .count = count,
              .first_chunk = 0,
              .above = 0,
              .bits_left = static_cast<std::uint8_t>(bits_left),
              .buffer = static_cast<std::uint8_t>(buffer)};
  const unsigned long long place = atomicAdd(&lists.state->tables, 1ULL | std::uint64_t{table.chunks()} << 32);
  table.first_chunk = static_cast<std::uint32_t>(place >> 32);
  lists.tables[static_cast<std::uint32_t>(place)] = table;
}

/// Lists a sub-bucket for its next step. Its keys differ in `bits_left` low bits and lie in `buffer`: the level's
/// partition has moved them there, or left them in place.
template <class Shared>
__device__ void list_child(const Lists& lists, int level, std::uint64_t begin, std::uint64_t count, int bits_left,
                           int buffer, bool merged, Shared& shared) {
  if (count <= lists.ends[kClasses - 1] && bits_left > 0)
    return list_bucket(lists, begin, count, bits_left, buffer, merged);
  if (bits_left == 0 && buffer == 0) return;
  if (lists.counts_buckets && bits_left > 0 && bits_left <= kCountedBits) {
    if (count <= kCountingElements) return list_bucket(lists, begin, count, bits_left, buffer, merged);
    if (count >= kTableElements && count >> 32 == 0) return list_table(lists, begin, count, bits_left, buffer);
  }
  list_next(lists, level + 1,
            {.begin = begin,
             .count = count,
             .row = nullptr,
             .bits_left = static_cast<std::uint16_t>(bits_left),
             .bits = static_cast<std::uint8_t>(min(bits_left, kDigitBits)),
             .buffer = static_cast<std::uint8_t>(buffer),
             .kind = bits_left == 0 ? Kind::copy : Kind::divide,
             .by_splitters = false},
            shared);
}

/// Marks the first or last digit of a segment as holding keys outside of its range, which differ in `bits_left` bits.
struct Outer {
  bool first = false, last = false;
  int bits_left = 0;

  /// Number of bits in which the keys of digits [begin, end) differ, out of `digits` digits; `inner` for digits without
  /// outliers.
  __device__ int digit_bits_left(std::uint32_t begin, std::uint32_t end, std::uint32_t digits, int inner) const {
    return (first && begin == 0) || (last && end >= digits) ? bits_left : inner;
  }
};

/// Lists the next step of each digit of a segment. The digits begin at shared.begins and have been moved to `buffer`.
/// Neighbouring digits with few keys form a group, which is sorted as one bucket. `number`: index of the segment in its
/// level.
template <std::uint32_t kMaxDigits>
__device__ void list_digits(const Lists& lists, int level, const Segment& segment, std::uint32_t number, int buffer,
                            const Outer& outer, DivideShared<kMaxDigits>& shared) {
  constexpr std::uint32_t kPerThread = (kMaxDigits + kThreads - 1) / kThreads;
  const auto thread_digit = [](std::uint32_t k) { return k * kThreads + threadIdx.x; };
  const auto digit_keys = [&](std::uint32_t d) { return shared.begins[d + 1] - shared.begins[d]; };
#pragma unroll
  for (std::uint32_t k = 0; k < kPerThread; ++k) {
    const std::uint32_t d = thread_digit(k);
    const std::uint32_t alone = __ballot_sync(kAllLanes, d < kMaxDigits && digit_keys(d) > lists.merged_elements);
    if (d < kMaxDigits && d % kWarp == 0) shared.alone[d / kWarp] = alone;
  }
  __syncthreads();
  const bool is_short = segment.count >> 32 == 0;  // a 64-bit division takes many instructions
  const auto group = [&](std::uint32_t d) {
    const unsigned long long before = shared.begins[d] - segment.begin;
    return is_short ? static_cast<std::uint32_t>(before) / lists.merged_elements : before / lists.merged_elements;
  };
#pragma unroll
  for (std::uint32_t k = 0; k < kPerThread; ++k) {
    const std::uint32_t d = thread_digit(k);
    const bool starts = d < kMaxDigits &&
                        (d == 0 || is_set(shared.alone, d) || is_set(shared.alone, d - 1) || group(d) != group(d - 1));
    const std::uint32_t starts_here = __ballot_sync(kAllLanes, starts);
    if (d < kMaxDigits && d % kWarp == 0) shared.starts[d / kWarp] = starts_here;
  }
  __syncthreads();
#pragma unroll
  for (std::uint32_t k = 0; k < kPerThread; ++k) {
    const std::uint32_t d = thread_digit(k);
    if (d >= kMaxDigits || !is_set(shared.starts, d)) continue;
    const std::uint32_t end = next_set(shared.starts, d, kMaxDigits);
    const unsigned long long begin = shared.begins[d], keys = shared.begins[end] - begin;
    if (keys == 0) continue;
    const bool one_digit = end == d + 1 || digit_keys(d) == keys;
    int bits_left = segment.shift();
    if (segment.by_splitters) {
      bits_left = lists.class_bits_left(number)[d];
      // A small class becomes a bucket even if no bits are left: it must be moved into the result.
      if (keys <= lists.ends[kClasses - 1]) bits_left = max(bits_left, 1);
    }
    bits_left = outer.digit_bits_left(d, end, segment.digits(), one_digit ? bits_left : segment.bits_left);
    list_child(lists, level, begin, keys, bits_left, buffer, !one_digit || segment.by_splitters, shared);
  }
  __syncthreads();
  write_next(lists, level + 1, shared);
  __syncthreads();
}

/// Decides the segment's kind, turns its row of counts into begins, and lists the next step of each sub-bucket.
/// `number`: index of the segment in its level. `differ`: bits in which the segment's keys differ, two words, or null
/// if unknown.
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
          differ != nullptr ? bit_length(differ) : outer.digit_bits_left(d, d + 1, segment.digits(), segment.shift());
      segment.kind = Kind::done;
      list_child(lists, level, segment.begin, segment.count, agree, segment.buffer, false, shared);
    }
    __syncthreads();
    write_next(lists, level + 1, shared);
    __syncthreads();
    return;
  }
  if (d < segment.digits()) segment.row[d] = begin;
  const int buffer = 1 - segment.buffer;
  if (segment.shift() == 0 && !segment.by_splitters) {
    if (d == 0) {
      segment.kind = lists.has_values ? Kind::divide : Kind::fill;
      if (lists.has_values) list_child(lists, level, segment.begin, segment.count, 0, buffer, false, shared);
    }
    __syncthreads();
    write_next(lists, level + 1, shared);
    __syncthreads();
    return;
  }
  if (d == 0) segment.kind = Kind::divide;
  list_digits(lists, level, segment, number, buffer, outer, shared);
}

__device__ inline void divide_level(const Lists& lists, int level, DivideShared<>& shared) {
  const std::uint32_t segments = lists.state->segments[level];
  for (std::uint32_t s = blockIdx.x; s < segments; s += gridDim.x) {
    Segment& segment = lists.level_segments(level)[s];
    if (segment.kind == Kind::copy) continue;
    divide_segment(lists, level, segment, s, lists.differ + 2 * std::uint64_t{s}, {}, shared);
  }
}

/// All keys as the only segment of a level.
__device__ inline Segment all_keys(const Lists& lists, int key_bits) {
  return {.begin = 0,
          .count = lists.n,
          .row = lists.rows,
          .bits_left = static_cast<std::uint16_t>(key_bits),
          .bits = kDigitBits,
          .buffer = 0,
          .kind = Kind::divide,
          .by_splitters = false};
}

/// Lists the tiles of all keys; called by all threads of all blocks.
__device__ inline void list_tiles_of_all(const Lists& lists, int level) {
  const std::uint64_t tile = lists.tile_elements, tiles = (lists.n + tile - 1) / tile;
  for (std::uint64_t t = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; t < tiles;
       t += std::uint64_t{gridDim.x} * blockDim.x) {
    const std::uint64_t begin = t * tile, rest = lists.n - begin;
    lists.level_tiles(level)[t] = {begin, static_cast<std::uint32_t>(rest < tile ? rest : tile), 0};
  }
}

/// Sums the top-bit counts of each first digit and unpacks them into the rows of the second level. A block takes one
/// first digit, or two if counts are stored in pairs.
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

/// Makes all keys one segment with splitters, after the histogram of the top bits found them skewed.
__device__ inline void skip_top_levels(const Lists& lists, int key_bits) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    lists.state->segments[kTopLevels] = 1;
    lists.state->tiles[kTopLevels] =
        static_cast<std::uint32_t>((lists.n + lists.tile_elements - 1) / lists.tile_elements);
    lists.level_segments(kTopLevels)[0] = all_keys(lists, key_bits);
  }
  list_tiles_of_all(lists, kTopLevels);
}

/// Makes all keys one segment of the next level, since they agree in the counted bits. `bits_left`: number of bits in
/// which they differ. Called by one block.
template <class Shared>
__device__ void skip_counted_bits(const Lists& lists, int bits_left, Shared& shared) {
  if (bits_left == 0) return;  // all keys are equal
  if (threadIdx.x == 0) {
    shared.next_count = 0;
    list_child(lists, kTopLevels - 1, 0, lists.n, bits_left, 0, false, shared);
  }
  __syncthreads();
  write_next(lists, kTopLevels, shared);
}

/// Builds the first two levels from the counts of the top bits: the segment of all keys, and one segment per first
/// digit. A block takes one first digit.
__global__ static void __launch_bounds__(kThreads) divide_top(Lists lists, int key_bits) {
  wait_for_previous_kernel();
  __shared__ DivideShared<> shared;
  __shared__ unsigned long long begins[(1U << kMaxFirstBits) + 1];
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
  const int bits_left = bit_length(state.differ), range = static_cast<int>(state.range_bits);
  if (mine == 0) {
    if (d < digits) state.first_row[d] = before;
    if (d == 0) {
      state.first = {.begin = 0,
                     .count = lists.n,
                     .row = state.first_row,
                     .bits_left = static_cast<std::uint16_t>(range),
                     .bits = static_cast<std::uint8_t>(top.first_bits),
                     .buffer = 0,
                     .kind = state.skips_top == 0 && !whole ? Kind::divide : Kind::done,
                     .by_splitters = false};
    }
  }
  if (state.skips_top != 0) return skip_top_levels(lists, key_bits);
  if (bits_left <= range - top.bits()) {
    if (mine == 0) skip_counted_bits(lists, bits_left, shared);
    return;
  }
  const unsigned long long begin = begins[mine], count = begins[mine + 1] - begin;
  if (count == 0) return;
  constexpr int kLevel = kTopLevels - 1;
  // The segment's tiles are written first: divide_segment reuses the same shared memory.
  if (d == 0) {
    list_next(lists, kLevel,
              {.begin = begin,
               .count = count,
               .row = nullptr,
               .bits_left = static_cast<std::uint16_t>(range - top.first_bits),
               .bits = static_cast<std::uint8_t>(top.second_bits),
               .buffer = static_cast<std::uint8_t>(whole ? 0 : 1),
               .kind = Kind::divide,
               .by_splitters = false},
              shared);
    shared.next[0].row = lists.top + (mine << top.second_bits);
  }
  __syncthreads();
  write_next(lists, kLevel, shared);
  __syncthreads();
  const bool is_outside = bits_left > range;
  divide_segment(lists, kLevel, lists.level_segments(kLevel)[shared.next_number[0]], 0, nullptr,
                 {.first = is_outside && mine == 0, .last = is_outside && mine == digits - 1, .bits_left = key_bits},
                 shared);
}

}  // namespace sortlab::msd_gpu
