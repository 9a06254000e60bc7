// A sort of one level in one kernel, for inputs so small that launches and waits decide the time.
//
// A sample of all keys, the same for every block, cuts their range into classes: equal parts, where it says that keys
// lie evenly, or else between splitters. Each block orders its tiles by class and counts; all blocks wait; then each
// sorts the neighbouring classes that begin in its window of the result, gathering a run from every tile. A class too
// large for that is copied to its place, and, unless its keys are equal, becomes the input of a further round.
#pragma once

#include <cooperative_groups.h>

#include "algorithms/msd_radix_gpu/divide.cuh"
#include "algorithms/msd_radix_gpu/move.cuh"
#include "algorithms/msd_radix_gpu/one_level_classes.cuh"

namespace sortlab::msd_gpu {

/// Orders a tile by class, counts it, and writes it to the other array.
template <class Word, class V, int kItems, class ClassOf>
__device__ void order_tile(const Arrays<Word, V>& arrays, const OneLevel& plan, std::uint32_t begin,
                           std::uint32_t count, const ClassOf& class_of, std::uint32_t* counts, std::uint16_t* runs,
                           const OneStage<Word, V, kItems>& stage, OneShared& shared) {
  constexpr std::uint32_t kOf = kOneClasses / kMostThreads;
  const auto thread = static_cast<std::uint32_t>(own_thread());
  const std::uint32_t classes = plan.classes();
  const auto place_of = [&](int i) { return thread + static_cast<std::uint32_t>(i) * kMostThreads; };
  const auto nobody = [&](int i) { return static_cast<std::uint32_t>(i) * kMostThreads >= count; };
  const auto has = [&](int i) { return place_of(i) < count; };
  Word keys[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (has(i)) keys[i] = arrays.keys[0][begin + place_of(i)];
  }
  for (std::uint32_t c = thread; c < classes; c += kMostThreads) stage.counts[c] = 0;
  __syncthreads();
  std::uint32_t slots[kItems];  // class of a key; from bit 16 on, how many of it came before
  std::uint32_t hot = kNoDigit;
  constexpr int kTogether = 4;  // searches of a thread
#pragma unroll
  for (int from = 0; from < kItems; from += kTogether) {
    if (nobody(from)) break;
    Word ordered[kTogether];
    std::uint32_t of_keys[kTogether];
#pragma unroll
    for (int k = 0; k < kTogether; ++k) {
      const bool is_key = from + k < kItems && has(from + k);
      ordered[k] = is_key ? arrays.order.ordered(keys[from + k]) : Word{0};
    }
    class_of(ordered, of_keys);
#pragma unroll
    for (int k = 0; k < kTogether && from + k < kItems; ++k) {
      const int i = from + k;
      if (nobody(i)) break;
      if (i == 0) hot = hot_digit(of_keys[0], has(0));
      std::uint32_t rank = 0;
      if (hot != kNoDigit) {
        rank = place_beside(stage.counts, of_keys[k], has(i), hot);
      } else if (has(i)) {
        rank = atomicAdd(stage.counts + of_keys[k], 1U);
      }
      slots[i] = of_keys[k] | rank << 16;
    }
  }
  __syncthreads();
  std::uint32_t of_class[kOf];
  std::uint32_t mine = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < kOf; ++k) {
    const std::uint32_t c = kOf * thread + k;
    of_class[k] = c < classes ? stage.counts[c] : 0;
    mine += of_class[k];
    if (of_class[k] > 0) atomicAdd(counts + c, of_class[k]);
  }
  std::uint32_t all;
  std::uint32_t before = exclusive_sum(mine, all, shared.bucket.warps);
#pragma unroll
  for (std::uint32_t k = 0; k < kOf; ++k) {
    const std::uint32_t c = kOf * thread + k;
    if (c <= classes) runs[c] = static_cast<std::uint16_t>(before);
    if (c < classes) stage.counts[c] = before;
    before += of_class[k];
  }
  if (thread == 0) runs[classes] = static_cast<std::uint16_t>(count);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (nobody(i)) break;
    if (!has(i)) continue;
    const std::uint32_t place = stage.counts[slots[i] & 0xFFFF] + (slots[i] >> 16);
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = arrays.values[0][begin + place_of(i)];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (nobody(i)) break;
    if (!has(i)) continue;
    arrays.keys[1][begin + place_of(i)] = stage.keys[place_of(i)];
    if constexpr (kHasValue<V>) arrays.values[1][begin + place_of(i)] = stage.values[place_of(i)];
  }
  __syncthreads();
}

/// How many of `tiles` runs end by `place`. `step`: a power of two, at least half the tiles.
__device__ inline std::uint32_t tile_of_place(const std::uint32_t* ends, std::uint32_t tiles, std::uint32_t step,
                                              std::uint32_t place) {
  std::uint32_t tile = 0;
  for (; step > 0; step /= 2) {
    if (tile + step <= tiles && ends[tile + step - 1] <= place) tile += step;
  }
  return tile;
}

/// The first class that begins at `place` or after it.
__device__ inline std::uint32_t class_from(const std::uint32_t* begins, std::uint32_t classes, std::uint32_t place) {
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

/// Classes [first, last) that a window has to sort, of those that begin in it.
struct Window {
  std::uint32_t first, last;
};
__device__ inline Window window_of(std::uint32_t number, std::uint32_t window, std::uint32_t count,
                                   std::uint32_t classes, const OneShared& shared) {
  Window found{class_from(shared.begins, classes, number * window),
               class_from(shared.begins, classes, min(count, (number + 1) * window))};
  if (found.last > found.first && is_set(shared.pure, found.last - 1) &&
      shared.begins[found.last] - shared.begins[found.last - 1] >= window) {
    --found.last;
  }
  return found;
}

/// By `threads` threads, of which this is number `thread`.
template <class Word, class V>
__device__ void copy_run(const Arrays<Word, V>& arrays, std::uint32_t from, std::uint32_t to, std::uint32_t count,
                         std::uint32_t thread, std::uint32_t threads) {
  for (std::uint32_t i = thread; i < count; i += threads) {
    arrays.keys[0][to + i] = arrays.keys[1][from + i];
    if constexpr (kHasValue<V>) arrays.values[0][to + i] = arrays.values[1][from + i];
  }
}

/// Copies the listed classes, which are not sorted, from a tile, which begins `tile` elements after the round does, to
/// their places. `given`: of each class, places that are taken. A warp copies a run, and all of them one that is long.
template <class Word, class V>
__device__ void copy_classes(const Arrays<Word, V>& arrays, std::uint32_t begin, std::uint32_t tile,
                             const std::uint16_t* runs, const std::uint16_t* copied, std::uint32_t* given,
                             OneShared& shared) {
  constexpr std::uint32_t kWarps = kMostThreads / kWarp, kLong = 16 * kWarp;
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
    copy_run(arrays, begin + tile + runs[c], shared.bases[place], runs[c + 1] - runs[c], threadIdx.x, kMostThreads);
  }
  __syncthreads();
}

/// A round: sorts part of the input. Whether some of it was copied, and may be the input of further rounds.
template <class Word, class V, int kItems>
__device__ bool sort_round(const Arrays<Word, V>& arrays, const OneLevel& plan, const Round& round,
                           std::uint32_t parity, uint4* dynamic, OneShared& shared) {
  constexpr std::uint32_t kOf = kOneClasses / kMostThreads, kCapacity = kMostThreads * kItems;
  const OneStage<Word, V, kItems> stage{dynamic};
  const auto all_blocks = cooperative_groups::this_grid();
  const std::uint32_t thread = threadIdx.x, classes = plan.classes(), count = round.count;
  const std::uint32_t tile = (count + plan.tiles - 1) / plan.tiles;
  const std::uint32_t window = (count + plan.windows - 1) / plan.windows;
  std::uint32_t* const counts = plan.counts_of(parity);
  if (blockIdx.x == 0) {
    for (std::uint32_t c = thread; c < 2 * classes; c += kMostThreads) plan.counts_of(1 - parity)[c] = 0;
  }
  EvenClasses<Word> even;
  const bool is_even = choose_classes(arrays.keys[0] + round.begin, count, arrays.order, plan, stage, shared, even);
  for (std::uint32_t t = blockIdx.x; t < plan.tiles; t += gridDim.x) {
    const std::uint32_t begin = min(count, t * tile), keys = min(count, begin + tile) - begin;
    std::uint16_t* const runs = plan.runs + t * plan.stride();
    if (is_even) {
      order_tile(arrays, plan, round.begin + begin, keys, even, counts, runs, stage, shared);
    } else {
      order_tile(arrays, plan, round.begin + begin, keys, SplitClasses<Word>{stage.tree, plan.class_bits}, counts, runs,
                 stage, shared);
    }
  }
  all_blocks.sync();

  std::uint32_t of_class[kOf];
  std::uint32_t mine = 0, all;
#pragma unroll
  for (std::uint32_t k = 0; k < kOf; ++k) {
    const std::uint32_t c = kOf * thread + k;
    of_class[k] = c < classes ? counts[c] : 0;
    mine += of_class[k];
  }
  std::uint32_t before = exclusive_sum(mine, all, shared.bucket.warps);
  bool may_copy = false;
#pragma unroll
  for (std::uint32_t k = 0; k < kOf; ++k) {
    const std::uint32_t c = kOf * thread + k;
    if (c < classes) shared.begins[c] = before;
    before += of_class[k];
    may_copy |= of_class[k] >= min(kCapacity - window, window);
  }
  if (thread == 0) {
    shared.begins[classes] = count;
    shared.copies = 0;
  }
  const bool copies = __syncthreads_or(may_copy) != 0;
  if (copies) {
    for (std::uint32_t c = thread; c < classes; c += kMostThreads) {
      if (shared.begins[c + 1] == shared.begins[c]) continue;
      const Window of = window_of(shared.begins[c] / window, window, count, classes, shared);
      const std::uint32_t keys = shared.begins[of.last] - shared.begins[of.first];
      const bool is_round = c < of.last && keys > kCapacity;
      if (is_round || c >= of.last) stage.copied[atomicAdd(&shared.copies, 1U)] = static_cast<std::uint16_t>(c);
      if (is_round && blockIdx.x == 0 && shared.begins[c] == shared.begins[of.first]) {
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
      const Window of = window_of(w, window, count, classes, shared);
      shared.first = of.first;
      shared.last = of.last;
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
      for (std::uint32_t row = thread; row * kWarp < keys; row += kMostThreads) {
        shared.tile_at[row] = static_cast<std::uint16_t>(tile_of_place(shared.ends, plan.tiles, steps, row * kWarp));
      }
      __syncthreads();
      const Bucket bucket{
          .begin = round.begin + shared.begins[first], .count = keys, .left = 8 * sizeof(Word), .side = 1, .merged = 1};
      sort_bucket(arrays, bucket, InRuns{shared.ends, shared.bases, shared.tile_at},
                  typename OneStage<Word, V, kItems>::Bucket{dynamic}, shared.bucket);
    }
    __syncthreads();
  }
  return copies;
}

template <class Word, class V, int kItems>
__global__ void __launch_bounds__(kMostThreads, 1) sort_one_level(Arrays<Word, V> arrays, OneLevel plan) {
  static_assert(OneStage<Word, V, kItems>::kBytes == one_stage_bytes(kItems, sizeof(Word), kValueBytes<V>));
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
