// Counting sort of 32-bit keys without values that differ in at most 16 bits. A block counts a bucket that fits its
// 16-bit counters; longer buckets are counted by all blocks, which add their counters into a table in global memory.
#pragma once

#include <cooperative_groups.h>

#include "algorithms/msd_radix_gpu/bucket.cuh"
#include "algorithms/msd_radix_gpu/count.cuh"

namespace sortlab::msd_gpu {

/// Dynamic shared memory of a block; zero before and after each bucket.
struct CountingStage {
  static constexpr std::uint32_t kWords = (1U << kCountedBits) / 2;
  static constexpr std::uint32_t kWindow = kCountingWindow;
  static constexpr std::uint32_t kBytes = kWords * 4 + kWindow * 2;
  static_assert(!kMayCount || kBytes <= kMaxDynamicBytes);

  std::uint32_t* counts;  ///< two 16-bit counters per word
  std::uint16_t* heads;   ///< window of the result: each value at the position of its first key, 0 elsewhere

  __device__ explicit CountingStage(uint4* shared)
      : counts(reinterpret_cast<std::uint32_t*>(shared)), heads(reinterpret_cast<std::uint16_t*>(counts + kWords)) {}

  __device__ void clear() const {
    auto* const all = reinterpret_cast<uint4*>(counts);
    for (std::uint32_t i = threadIdx.x; i < kBytes / sizeof(uint4); i += kMaxThreads) all[i] = {};
    __syncthreads();
  }
  /// Index of a counter word, permuted so that neighbouring threads, which sum consecutive words four at a time, have
  /// no bank conflicts.
  __device__ static std::uint32_t slot(std::uint32_t word) { return word ^ (word / kWarp % 8 * 4); }
};

/// Largest window. Four entries are kept for the positions before the first key in its 16 bytes.
inline constexpr std::uint32_t kWindowElements = CountingStage::kWindow - 4;
static_assert(kChunk <= kWindowElements);

/// Counts the values of the keys. The counts are visible to all threads after the next barrier.
__device__ inline void count_values(const std::uint32_t* keys, std::uint32_t count,
                                    const KeyOrder<std::uint32_t>& order, std::uint32_t mask,
                                    const CountingStage& stage) {
  count_digits(
      keys, count, [&](std::uint32_t key) { return order.ordered(key) & mask; },
      [&](std::uint32_t value, std::uint32_t keys_of_value) {
        atomicAdd(stage.counts + CountingStage::slot(value / 2), keys_of_value << value % 2 * 16);
      });
}

/// Inclusive prefix maximum over the warp's lanes.
__device__ inline std::uint32_t warp_prefix_max(std::uint32_t mine) {
#pragma unroll
  for (std::uint32_t step = 1; step < kWarp; step *= 2) mine = max(mine, __shfl_up_sync(kAllLanes, mine, step));
  return mine;
}

/// Offset of `out` from the preceding 16-byte boundary, in keys; windows begin at that boundary.
__device__ inline std::uint32_t places_ahead(const std::uint32_t* out) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(out) / sizeof *out % 4);
}

/// Writes `count` keys to `out`: each is `above` or-ed with the value of the nearest head at or before it, or with
/// `value` if there is none. Heads begin at places_ahead(out) and are cleared. Returns the last value.
__device__ inline std::uint32_t fill_window(std::uint32_t* out, std::uint32_t count, std::uint32_t above,
                                            std::uint32_t value, const KeyOrder<std::uint32_t>& order,
                                            const CountingStage& stage, std::uint32_t* warps) {
  constexpr std::uint32_t kPerRow = 4 * kWarp, kWarps = kMaxThreads / kWarp;
  constexpr std::uint32_t kRowsPerWarp = CountingStage::kWindow / kPerRow / kWarps;
  const std::uint32_t lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  const std::uint32_t begin = places_ahead(out), end = begin + count;
  std::uint32_t* const aligned = out - begin;
  const std::uint32_t rows = (end + kPerRow * kWarps - 1) / (kPerRow * kWarps);
  auto* const heads4 = reinterpret_cast<uint2*>(stage.heads);
  const auto quad_index = [&](std::uint32_t row) { return (warp * rows + row) * kWarp + lane; };

  std::uint32_t last = 0;
#pragma unroll
  for (std::uint32_t r = 0; r < kRowsPerWarp; ++r) {
    if (r == rows) break;
    const uint2 four = heads4[quad_index(r)];
    last = max(last, max(max(four.x & 0xFFFF, four.x >> 16), max(four.y & 0xFFFF, four.y >> 16)));
  }
  last = warp_max(last);
  if (lane == 0) warps[warp] = last;
  __syncthreads();
  const std::uint32_t warp_last = warps[lane];
  std::uint32_t before = max(value, warp_max(lane < warp ? warp_last : 0));
  const std::uint32_t result = max(value, warp_max(warp_last));
#pragma unroll
  for (std::uint32_t r = 0; r < kRowsPerWarp; ++r) {
    if (r == rows) break;
    const std::uint32_t quad = quad_index(r);
    const uint2 four = heads4[quad];
    heads4[quad] = {};
    uint4 values;
    values.x = four.x & 0xFFFF;
    values.y = max(values.x, four.x >> 16);
    values.z = max(values.y, four.y & 0xFFFF);
    values.w = max(values.z, four.y >> 16);
    const std::uint32_t up_to = warp_prefix_max(values.w);
    const std::uint32_t up_to_other = __shfl_up_sync(kAllLanes, up_to, 1);
    const std::uint32_t behind = lane == 0 ? before : max(before, up_to_other);
    before = max(before, __shfl_sync(kAllLanes, up_to, kWarp - 1));
    values.x = order.restored(above | max(behind, values.x));
    values.y = order.restored(above | max(behind, values.y));
    values.z = order.restored(above | max(behind, values.z));
    values.w = order.restored(above | max(behind, values.w));
    const std::uint32_t place = 4 * quad;
    if (place >= begin && place + 4 <= end) {
      reinterpret_cast<uint4*>(aligned)[quad] = values;
    } else {
      if (place >= begin && place < end) aligned[place] = values.x;
      if (place + 1 >= begin && place + 1 < end) aligned[place + 1] = values.y;
      if (place + 2 >= begin && place + 2 < end) aligned[place + 2] = values.z;
      if (place + 3 >= begin && place + 3 < end) aligned[place + 3] = values.w;
    }
  }
  __syncthreads();
  return result;
}

/// Counting sort of a bucket of at most kCountingElements keys by one block.
__device__ inline void count_bucket(const Arrays<std::uint32_t, NoValue>& arrays, const Bucket& bucket,
                                    const CountingStage& stage, std::uint32_t* warps) {
  const std::uint32_t mask = (1U << bucket.bits_left) - 1;
  const std::uint32_t quads_per_thread = ((1U << bucket.bits_left) / 2 + 4 * kMaxThreads - 1) / (4 * kMaxThreads);
  const std::uint32_t* const keys_in = arrays.keys_on(bucket.buffer) + bucket.begin;
  const std::uint32_t above = arrays.order.ordered(keys_in[0]) & ~mask;
  auto* const counts4 = reinterpret_cast<uint4*>(stage.counts);
  const auto quad_slot = [&](std::uint32_t k) {
    return CountingStage::slot((threadIdx.x * quads_per_thread + k) * 4) / 4;
  };

  count_values(keys_in, bucket.count, arrays.order, mask, stage);
  __syncthreads();
  std::uint32_t two = 0;  // two 16-bit sums, each large enough for all keys of the bucket
  for (std::uint32_t k = 0; k < quads_per_thread; ++k) {
    const uint4 four = counts4[quad_slot(k)];
    two += four.x + four.y + four.z + four.w;
  }
  std::uint32_t all;
  const std::uint32_t first = exclusive_sum((two & 0xFFFF) + (two >> 16), all, warps);
  std::uint32_t value = 0;
  for (std::uint32_t begin = 0; begin < bucket.count; begin += kWindowElements) {
    const std::uint32_t in_window = min(bucket.count - begin, kWindowElements);
    std::uint32_t* const out = arrays.keys[0] + bucket.begin + begin;
    const bool is_last = begin + in_window == bucket.count;
    const std::uint32_t ahead = places_ahead(out);
    std::uint32_t place = first - begin;
    for (std::uint32_t k = 0; k < quads_per_thread; ++k) {
      const std::uint32_t slot = quad_slot(k);
      const uint4 four = counts4[slot];
      if ((four.x | four.y | four.z | four.w) == 0) continue;
      if (is_last) counts4[slot] = {};
      const std::uint32_t words[] = {four.x, four.y, four.z, four.w};
#pragma unroll
      for (std::uint32_t w = 0; w < 4; ++w) {
        const std::uint32_t low = words[w] & 0xFFFF, high = words[w] >> 16;
        const std::uint32_t value_of_word = ((threadIdx.x * quads_per_thread + k) * 4 + w) * 2;
        if (low != 0 && place < in_window) stage.heads[ahead + place] = static_cast<std::uint16_t>(value_of_word);
        place += low;
        if (high != 0 && place < in_window) stage.heads[ahead + place] = static_cast<std::uint16_t>(value_of_word + 1);
        place += high;
      }
    }
    __syncthreads();
    value = fill_window(out, in_window, above, value, arrays.order, stage, warps);
  }
}

/// Sorts the buckets of the class kCounted that sort_counted left.
__global__ static void __launch_bounds__(kMaxThreads, 1)
    count_buckets(Arrays<std::uint32_t, NoValue> arrays, Lists lists) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared_bytes[];
  __shared__ std::uint32_t warps[kMaxThreads / kWarp];
  const CountingStage stage{shared_bytes};
  const std::uint32_t buckets = lists.state->overflows;
  if (blockIdx.x >= buckets) return;
  stage.clear();
  for (std::uint32_t b = blockIdx.x; b < buckets; b += gridDim.x) {
    count_bucket(arrays, lists.class_buckets(kCounted)[lists.overflows[b]], stage, warps);
    __syncthreads();
  }
}

/// Counters of a table in the given buffer, within the memory of the table's keys, aligned to 16 bytes.
__device__ inline std::uint32_t* table_counters(const Arrays<std::uint32_t, NoValue>& arrays, const Table& table,
                                                int buffer) {
  const auto place = reinterpret_cast<std::uintptr_t>(arrays.keys_on(buffer) + table.begin);
  return reinterpret_cast<std::uint32_t*>((place + 15) / 16 * 16);
}
__device__ inline std::uint32_t counter_count(const Table& table) {
  return max(8U, 1U << table.bits_left);
}

/// Calls `visit(table, chunk)` for the consecutive chunks that this block takes.
template <class Visit>
__device__ void visit_chunks(const Lists& lists, std::uint32_t tables, std::uint32_t chunks, const Visit& visit) {
  const std::uint32_t share = (chunks + gridDim.x - 1) / gridDim.x;
  std::uint32_t chunk = min(chunks, blockIdx.x * share);
  const std::uint32_t end = min(chunks, chunk + share);
  if (chunk == end) return;
  std::uint32_t t = 0, behind = tables;  // binary search for the last table that begins no later
  while (behind - t > 1) {
    const std::uint32_t middle = (t + behind) / 2;
    (lists.tables[middle].first_chunk <= chunk ? t : behind) = middle;
  }
  for (; chunk < end; ++t) {
    const Table table = lists.tables[t];
    const std::uint32_t table_end = min(end, table.first_chunk + table.chunks());
    for (; chunk < table_end; ++chunk) visit(table, chunk - table.first_chunk);
  }
}

/// Exclusive prefix sum over a table's counters, by one block.
__device__ inline void sum_table(const std::uint32_t* counts, std::uint32_t* begins, std::uint32_t counters,
                                 std::uint32_t* warps) {
  constexpr std::uint32_t kPerWarp = (1U << kCountedBits) / (kMaxThreads / kWarp), kStep = 4 * kWarp;
  const std::uint32_t first = threadIdx.x / kWarp * kPerWarp + threadIdx.x % kWarp * 4;
  std::uint32_t sum = 0;
#pragma unroll 4
  for (std::uint32_t k = first; k < first + kPerWarp; k += kStep) {
    if (k >= counters) break;
    const uint4 four = *reinterpret_cast<const uint4*>(counts + k);
    sum += four.x + four.y + four.z + four.w;
  }
  std::uint32_t all;
  const std::uint32_t before_thread = exclusive_sum(sum, all, warps);
  std::uint32_t before = __shfl_sync(kAllLanes, before_thread, 0);
#pragma unroll 2
  for (std::uint32_t step = 0; step < kPerWarp; step += kStep) {
    const std::uint32_t k = first + step;
    uint4 four{};
    if (k < counters) four = *reinterpret_cast<const uint4*>(counts + k);
    const std::uint32_t mine = four.x + four.y + four.z + four.w;
    std::uint32_t up_to = mine;
#pragma unroll
    for (std::uint32_t s = 1; s < kWarp; s *= 2) {
      const std::uint32_t other = __shfl_up_sync(kAllLanes, up_to, s);
      if (threadIdx.x % kWarp >= s) up_to += other;
    }
    uint4 begin;
    begin.x = before + up_to - mine;
    begin.y = begin.x + four.x;
    begin.z = begin.y + four.y;
    begin.w = begin.z + four.z;
    before += __shfl_sync(kAllLanes, up_to, kWarp - 1);
    if (k < counters) *reinterpret_cast<uint4*>(begins + k) = begin;
  }
  __syncthreads();
}

/// Writes keys [begin, begin + count) of a table's result. `value`: a value that begins no later than `begin`. Returns
/// the last value written.
__device__ inline std::uint32_t fill_chunk(const Arrays<std::uint32_t, NoValue>& arrays, const Table& table,
                                           std::uint32_t begin, std::uint32_t count, std::uint32_t value,
                                           const CountingStage& stage, std::uint32_t* warps) {
  constexpr std::uint32_t kAhead = 4;
  const std::uint32_t* const begins = table_counters(arrays, table, 1);
  const std::uint32_t counters = counter_count(table);
  const auto size = static_cast<std::uint32_t>(table.count);
  std::uint32_t* const out = arrays.keys[0] + table.begin + begin;
  const std::uint32_t ahead = places_ahead(out);
  for (std::uint32_t v = value / 4 * 4; v < counters; v += kAhead * 4 * kMaxThreads) {
    uint4 four[kAhead];
    std::uint32_t next[kAhead];
    const auto quad_value = [&](std::uint32_t k) { return v + (k * kMaxThreads + threadIdx.x) * 4; };
#pragma unroll
    for (std::uint32_t k = 0; k < kAhead; ++k) {
      four[k] = {size, size, size, size};
      next[k] = size;
      if (quad_value(k) < counters) four[k] = *reinterpret_cast<const uint4*>(begins + quad_value(k));
      if (quad_value(k) + 4 < counters) next[k] = begins[quad_value(k) + 4];
    }
#pragma unroll
    for (std::uint32_t k = 0; k < kAhead; ++k) {
      const std::uint32_t at[] = {four[k].x, four[k].y, four[k].z, four[k].w, next[k]};
#pragma unroll
      for (std::uint32_t w = 0; w < 4; ++w) {
        if (at[w] >= begin && at[w] - begin < count && at[w + 1] != at[w]) {
          stage.heads[ahead + at[w] - begin] = static_cast<std::uint16_t>(quad_value(k) + w);
        }
      }
    }
    if (__syncthreads_or(next[kAhead - 1] >= begin + count) != 0) break;
  }
  __syncthreads();
  return fill_window(out, count, table.above, value, arrays.order, stage, warps);
}

/// Counting sort of the tables: a cooperative kernel with barriers over all blocks.
__global__ static void __launch_bounds__(kMaxThreads, 1)
    count_tables(Arrays<std::uint32_t, NoValue> arrays, Lists lists) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared_bytes[];
  __shared__ std::uint32_t warps[kMaxThreads / kWarp];
  const CountingStage stage{shared_bytes};
  const auto tables = static_cast<std::uint32_t>(lists.state->tables);
  const auto chunks = static_cast<std::uint32_t>(lists.state->tables >> 32);
  if (tables == 0) return;
  const auto grid = cooperative_groups::this_grid();
  for (std::uint32_t t = blockIdx.x; t < tables; t += gridDim.x) {
    Table& table = lists.tables[t];
    auto* const counters = reinterpret_cast<uint4*>(table_counters(arrays, table, 1 - table.buffer));
    for (std::uint32_t i = threadIdx.x; i < counter_count(table) / 4; i += kMaxThreads) counters[i] = {};
    if (threadIdx.x == 0) {
      table.above = arrays.order.ordered(arrays.keys_on(table.buffer)[table.begin]) & ~((1U << table.bits_left) - 1);
    }
  }
  stage.clear();
  grid.sync();
  visit_chunks(lists, tables, chunks, [&](const Table& table, std::uint32_t chunk) {
    const std::uint64_t begin = std::uint64_t{chunk} * kChunk;
    const auto count = static_cast<std::uint32_t>(min(table.count - begin, 1ULL * kChunk));
    count_values(arrays.keys_on(table.buffer) + table.begin + begin, count, arrays.order, (1U << table.bits_left) - 1,
                 stage);
    __syncthreads();
    auto* const pairs = reinterpret_cast<unsigned long long*>(table_counters(arrays, table, 1 - table.buffer));
    for (std::uint32_t w = threadIdx.x; w < counter_count(table) / 2; w += kMaxThreads) {
      std::uint32_t& word = stage.counts[CountingStage::slot(w)];
      const std::uint32_t two = word;
      if (two == 0) continue;
      word = 0;
      atomicAdd(pairs + w, (two & 0xFFFF) | static_cast<unsigned long long>(two >> 16) << 32);
    }
    __syncthreads();
  });
  grid.sync();
  for (std::uint32_t t = blockIdx.x; t < tables; t += gridDim.x) {
    const Table table = lists.tables[t];
    sum_table(table_counters(arrays, table, 1 - table.buffer), table_counters(arrays, table, 1), counter_count(table),
              warps);
  }
  grid.sync();
  std::uint32_t value = 0;
  bool goes_on = false;
  visit_chunks(lists, tables, chunks, [&](const Table& table, std::uint32_t chunk) {
    const std::uint64_t begin = std::uint64_t{chunk} * kChunk;
    if (chunk == 0) {
      value = 0;
    } else if (!goes_on) {
      const std::uint32_t* const begins = table_counters(arrays, table, 1);
      value = 0;
      for (std::uint32_t step = counter_count(table) / 2; step > 0; step /= 2) {
        if (begins[value + step] <= begin) value += step;
      }
    }
    goes_on = true;
    const auto count = static_cast<std::uint32_t>(min(table.count - begin, 1ULL * kChunk));
    value = fill_chunk(arrays, table, static_cast<std::uint32_t>(begin), count, value, stage, warps);
  });
}

}  // namespace sortlab::msd_gpu
