// One-level sort in one kernel, for inputs so small that launches and synchronisation dominate.
//
// A sample of all keys, the same for every block, cuts their range into classes: of equal width if the sample is even,
// or else by splitters. Each block orders its tiles by class and counts them. After a barrier over all blocks, each
// sorts the neighbouring classes that begin in its window of the result, gathering a run from every tile. A class too
// large for that is copied to its place and, unless its keys are equal, becomes the input of a further round.
#pragma once

#include <cooperative_groups.h>

#include "algorithms/msd_radix_gpu/divide.cuh"
#include "algorithms/msd_radix_gpu/move.cuh"
#include "algorithms/msd_radix_gpu/one_level_classes.cuh"

namespace sortlab::msd_gpu {

/// Orders a tile by class, counts its classes, and writes it to the other buffer.
template <class Word, class V, int kItems, class ClassOf>
__device__ void order_tile(const Arrays<Word, V>& arrays, std::uint32_t classes, const Round& tile,
                           const ClassOf& classify_keys, std::uint32_t* counts, std::uint16_t* runs,
                           const OneStage<Word, V, kItems>& stage, OneShared& shared) {
  constexpr std::uint32_t kOf = kOneLevelMaxClasses / kMaxThreads;
  const auto thread = static_cast<std::uint32_t>(opaque_thread());
  const std::uint32_t begin = tile.begin, count = tile.count;
  const auto position = [&](int i) { return thread + static_cast<std::uint32_t>(i) * kMaxThreads; };
  const auto past_end = [&](int i) { return static_cast<std::uint32_t>(i) * kMaxThreads >= count; };
  const auto has = [&](int i) { return position(i) < count; };
  Word keys[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (has(i)) keys[i] = arrays.keys[0][begin + position(i)];
  }
  for (std::uint32_t c = thread; c < classes; c += kMaxThreads) stage.counts[c] = 0;
  __syncthreads();
  std::uint32_t slots[kItems];  // class of a key; from bit 16 on, its rank in the class
  std::uint32_t hot = kNoDigit;
  constexpr int kTogether = 4;  // interleaved searches per thread
#pragma unroll
  for (int from = 0; from < kItems; from += kTogether) {
    if (past_end(from)) break;
    Word ordered[kTogether];
    std::uint32_t key_classes[kTogether];
#pragma unroll
    for (int k = 0; k < kTogether; ++k) {
      const bool is_key = from + k < kItems && has(from + k);
      ordered[k] = is_key ? arrays.order.ordered(keys[from + k]) : Word{0};
    }
    classify_keys(ordered, key_classes);
#pragma unroll
    for (int k = 0; k < kTogether && from + k < kItems; ++k) {
      const int i = from + k;
      if (past_end(i)) break;
      if (i == 0) hot = hot_digit(key_classes[0], has(0));
      std::uint32_t rank = 0;
      if (hot != kNoDigit) {
        rank = take_place(stage.counts, key_classes[k], has(i), hot);
      } else if (has(i)) {
        rank = atomicAdd(stage.counts + key_classes[k], 1U);
      }
      slots[i] = key_classes[k] | rank << 16;
    }
  }
  __syncthreads();
  std::uint32_t class_keys[kOf];
  std::uint32_t mine = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < kOf; ++k) {
    const std::uint32_t c = kOf * thread + k;
    class_keys[k] = c < classes ? stage.counts[c] : 0;
    mine += class_keys[k];
    if (class_keys[k] > 0) atomicAdd(counts + c, class_keys[k]);
  }
  std::uint32_t all;
  std::uint32_t before = exclusive_sum(mine, all, shared.bucket.warps);
#pragma unroll
  for (std::uint32_t k = 0; k < kOf; ++k) {
    const std::uint32_t c = kOf * thread + k;
    if (c <= classes) runs[c] = static_cast<std::uint16_t>(before);
    if (c < classes) stage.counts[c] = before;
    before += class_keys[k];
  }
  if (thread == 0) runs[classes] = static_cast<std::uint16_t>(count);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (past_end(i)) break;
    if (!has(i)) continue;
    const std::uint32_t place = stage.counts[slots[i] & 0xFFFF] + (slots[i] >> 16);
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = arrays.values[0][begin + position(i)];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (past_end(i)) break;
    if (!has(i)) continue;
    arrays.keys[1][begin + position(i)] = stage.keys[position(i)];
    if constexpr (kHasValue<V>) arrays.values[1][begin + position(i)] = stage.values[position(i)];
  }
  __syncthreads();
}

/// Number of the `tiles` runs that end at or before `place`. `step`: a power of two, at least half of `tiles`.
__device__ inline std::uint32_t find_tile(const std::uint32_t* ends, std::uint32_t tiles, std::uint32_t step,
                                          std::uint32_t place) {
  std::uint32_t tile = 0;
  for (; step > 0; step /= 2) {
    if (tile + step <= tiles && ends[tile + step - 1] <= place) tile += step;
  }
  return tile;
}

/// The first class that begins at or after `place`.
__device__ inline std::uint32_t first_class_from(const std::uint32_t* begins, std::uint32_t classes,
                                                 std::uint32_t place) {
  std::uint32_t low = 0, high = classes;
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    if (begins[middle] < place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// Classes [first, last) that a window sorts, among those that begin in it.
struct Window {
  std::uint32_t first, last;
};
__device__ inline Window window_classes(std::uint32_t number, std::uint32_t window, std::uint32_t count,
                                        std::uint32_t classes, const OneShared& shared) {
  Window found{first_class_from(shared.begins, classes, number * window),
               first_class_from(shared.begins, classes, min(count, (number + 1) * window))};
  if (found.last > found.first && is_set(shared.pure, found.last - 1) &&
      shared.begins[found.last] - shared.begins[found.last - 1] >= window) {
    --found.last;
  }
  return found;
}

/// Copies a run with `threads` threads, of which this is number `thread`.
template <class Word, class V>
__device__ void copy_run(const Arrays<Word, V>& arrays, std::uint32_t from, std::uint32_t to, std::uint32_t count,
                         std::uint32_t thread, std::uint32_t threads) {
  for (std::uint32_t i = thread; i < count; i += threads) {
    arrays.keys[0][to + i] = arrays.keys[1][from + i];
    if constexpr (kHasValue<V>) arrays.values[0][to + i] = arrays.values[1][from + i];
  }
}

/// Copies the runs of a tile that belong to the classes in `copied` into their output ranges. Those classes are left
/// to further rounds. `begin`: first element of the round. `tile`: offset of the tile in the round. `given`: elements
/// of each class copied so far, by all blocks. A warp copies a short run, the whole block a long one.
template <class Word, class V>
__device__ void copy_classes(const Arrays<Word, V>& arrays, std::uint32_t begin, std::uint32_t tile,
                             const std::uint16_t* runs, const std::uint16_t* copied, std::uint32_t* given,
                             OneShared& shared) {
  constexpr std::uint32_t kWarps = kMaxThreads / kWarp, kLong = 16 * kWarp;
  const std::uint32_t lane = threadIdx.x % kWarp;
  if (threadIdx.x == 0) shared.long_runs = 0;
  __syncthreads();
  for (std::uint32_t i = threadIdx.x / kWarp; i < shared.copies; i += kWarps) {
    const std::uint32_t c = copied[i], count = runs[c + 1] - runs[c];
    if (count == 0) continue;
    std::uint32_t to = 0;
    if (lane == 0) {
      to = begin + shared.begins[c] + atomicAdd(given + c, count);
      if (count > kLong) {
        const std::uint32_t place = atomicAdd(&shared.long_runs, 1U);
        shared.ends[place] = c;
        shared.bases[place] = to;
      }
    }
    to = __shfl_sync(kAllLanes, to, 0);
    if (count <= kLong) copy_run(arrays, begin + tile + runs[c], to, count, lane, kWarp);
  }
  __syncthreads();
  for (std::uint32_t place = 0; place < shared.long_runs; ++place) {
    const std::uint32_t c = shared.ends[place];
    copy_run(arrays, begin + tile + runs[c], shared.bases[place], runs[c + 1] - runs[c], threadIdx.x, kMaxThreads);
  }
  __syncthreads();
}

/// Sorts part of the input. Returns true if classes were copied, which may be the input of further rounds.
template <class Word, class V, int kItems>
__device__ bool sort_round(const Arrays<Word, V>& arrays, const OneLevel& plan, const Round& round,
                           std::uint32_t parity, uint4* dynamic, OneShared& shared) {
  constexpr std::uint32_t kOf = kOneLevelMaxClasses / kMaxThreads, kCapacity = kMaxThreads * kItems;
  const OneStage<Word, V, kItems> stage{dynamic};
  const auto all_blocks = cooperative_groups::this_grid();
  const std::uint32_t thread = threadIdx.x, classes = plan.classes(), count = round.count;
  const std::uint32_t tile = (count + plan.tiles - 1) / plan.tiles;
  const std::uint32_t window = (count + plan.windows - 1) / plan.windows;
  std::uint32_t* const counts = plan.round_counts(parity);
  if (blockIdx.x == 0) {
    for (std::uint32_t c = thread; c < 2 * classes; c += kMaxThreads) plan.round_counts(1 - parity)[c] = 0;
  }
  EvenClasses<Word> even;
  const bool is_even = choose_classes(arrays.keys[0] + round.begin, count, arrays.order, plan, stage, shared, even);
  for (std::uint32_t t = blockIdx.x; t < plan.tiles; t += gridDim.x) {
    const std::uint32_t begin = min(count, t * tile);
    const Round part{round.begin + begin, min(count, begin + tile) - begin};
    std::uint16_t* const runs = plan.runs + t * plan.stride();
    if (is_even) {
      order_tile(arrays, classes, part, even, counts, runs, stage, shared);
    } else {
      order_tile(arrays, classes, part, SplitClasses<Word>{stage.tree, plan.class_bits}, counts, runs, stage, shared);
    }
  }
  all_blocks.sync();

  std::uint32_t class_keys[kOf];
  std::uint32_t mine = 0, all;
#pragma unroll
  for (std::uint32_t k = 0; k < kOf; ++k) {
    const std::uint32_t c = kOf * thread + k;
    class_keys[k] = c < classes ? counts[c] : 0;
    mine += class_keys[k];
  }
  std::uint32_t before = exclusive_sum(mine, all, shared.bucket.warps);
  bool may_copy = false;
#pragma unroll
  for (std::uint32_t k = 0; k < kOf; ++k) {
    const std::uint32_t c = kOf * thread + k;
    if (c < classes) shared.begins[c] = before;
    before += class_keys[k];
    may_copy |= class_keys[k] >= min(kCapacity - window, window);
  }
  if (thread == 0) {
    shared.begins[classes] = count;
    shared.copies = 0;
  }
  const bool copies = __syncthreads_or(may_copy) != 0;
  if (copies) {
    for (std::uint32_t c = thread; c < classes; c += kMaxThreads) {
      if (shared.begins[c + 1] == shared.begins[c]) continue;
      const Window range = window_classes(shared.begins[c] / window, window, count, classes, shared);
      const std::uint32_t keys = shared.begins[range.last] - shared.begins[range.first];
      const bool is_round = c < range.last && keys > kCapacity;
      if (is_round || c >= range.last) stage.copied[atomicAdd(&shared.copies, 1U)] = static_cast<std::uint16_t>(c);
      if (is_round && blockIdx.x == 0 && shared.begins[c] == shared.begins[range.first]) {
        plan.rounds[atomicAdd(&plan.state->rounds, 1U) % plan.ring] = {round.begin + shared.begins[c], keys};
      }
    }
    __syncthreads();
    for (std::uint32_t t = blockIdx.x; t < plan.tiles; t += gridDim.x) {
      copy_classes(arrays, round.begin, t * tile, plan.runs + t * plan.stride(), stage.copied, counts + classes,
                   shared);
    }
  }
  const std::uint32_t steps = 1U << (31 - __clz(static_cast<int>(plan.tiles)));
  for (std::uint32_t w = blockIdx.x; w < plan.windows; w += gridDim.x) {
    if (thread == 0) {
      const Window range = window_classes(w, window, count, classes, shared);
      shared.first = range.first;
      shared.last = range.last;
    }
    __syncthreads();
    const std::uint32_t first = shared.first, last = shared.last;
    const std::uint32_t keys = last > first ? shared.begins[last] - shared.begins[first] : 0;
    if (keys > 0 && keys <= kCapacity) {
      std::uint32_t begin = 0, end = 0;
      if (thread < plan.tiles) {
        begin = plan.runs[thread * plan.stride() + first];
        end = plan.runs[thread * plan.stride() + last];
      }
      const std::uint32_t run = exclusive_sum(end - begin, all, shared.bucket.warps);
      if (thread < plan.tiles) {
        shared.ends[thread] = run + end - begin;
        shared.bases[thread] = round.begin + thread * tile + begin - run;
      }
      if (thread < InRuns::kLooked) shared.ends[plan.tiles + thread] = ~0U;
      __syncthreads();
      for (std::uint32_t row = thread; row * kWarp < keys; row += kMaxThreads) {
        shared.tile_at[row] = static_cast<std::uint16_t>(find_tile(shared.ends, plan.tiles, steps, row * kWarp));
      }
      __syncthreads();
      const Bucket bucket{.begin = round.begin + shared.begins[first],
                          .count = keys,
                          .bits_left = 8 * sizeof(Word),
                          .buffer = 1,
                          .merged = 1};
      sort_bucket(arrays, bucket, InRuns{shared.ends, shared.bases, shared.tile_at},
                  typename OneStage<Word, V, kItems>::Bucket{dynamic}, shared.bucket);
    }
    __syncthreads();
  }
  return copies;
}

template <class Word, class V, int kItems>
__global__ void __launch_bounds__(kMaxThreads, 1) sort_one_level(Arrays<Word, V> arrays, OneLevel plan) {
  static_assert(OneStage<Word, V, kItems>::kBytes == one_level_stage_bytes(kItems, sizeof(Word), kValueBytes<V>));
  wait_for_previous_kernel();
  extern __shared__ uint4 dynamic[];
  __shared__ OneShared shared;
  const auto all_blocks = cooperative_groups::this_grid();
  const auto listed = [&] { return *static_cast<volatile std::uint32_t*>(&plan.state->rounds); };
  std::uint32_t parity = plan.state->parity, done = plan.state->rounds, known = done;
  Round round{0, plan.n};
  for (;;) {
    const bool copies = sort_round<Word, V, kItems>(arrays, plan, round, parity, dynamic, shared);
    parity = 1 - parity;
    if (copies || done != known) {
      all_blocks.sync();
      known = listed();
    }
    if (done == known) break;
    round = plan.rounds[done++ % plan.ring];
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) plan.state->parity = parity;
}

}  // namespace sortlab::msd_gpu
