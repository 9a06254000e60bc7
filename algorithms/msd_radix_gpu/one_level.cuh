// A sort of one level in one kernel, for inputs so small that launches and waits decide the time.
//
// A sample of all keys, the same for every block, cuts their range into classes: equal parts, where it says that keys
// lie evenly, or else between splitters. Each block orders its tiles by class and counts; all blocks wait; then each
// sorts the neighbouring classes that begin in its window of the result, gathering a run from every tile. A class too
// large for that is copied to its place, and, unless its keys are equal, becomes the input of a further round.
#pragma once

#include <cooperative_groups.h>

#include "algorithms/msd_radix_gpu/bucket.cuh"
#include "algorithms/msd_radix_gpu/divide.cuh"
#include "algorithms/msd_radix_gpu/move.cuh"

namespace sortlab::msd_gpu {

inline constexpr std::uint32_t kOneTiles = kMostThreads;  ///< at most

/// Part of the input, of one class, that is sorted in a round of its own.
struct Round {
  std::uint32_t begin;
  std::uint32_t count;
};

/// Kept from one sort to the next; all 0 at first.
struct OneState {
  std::uint32_t parity;  ///< of the counts that the next round uses, which are 0
  std::uint32_t rounds;  ///< listed so far, in all sorts: number i in place i % ring
};

/// How the sort of `n` keys is cut.
struct OneLevel {
  OneState* state;
  std::uint32_t* counts;  ///< by parity: keys of each class, then of each that is copied, places given away
  std::uint16_t* runs;    ///< of a tile: where each class begins in it; one more: where all end
  Round* rounds;          ///< a ring
  std::uint32_t ring;
  std::uint32_t n;
  std::uint32_t tiles;
  std::uint32_t windows;
  int class_bits;
  std::uint32_t even_keys;  ///< of the sample in one class, at most, where keys lie evenly

  SORTLAB_HOST_DEVICE std::uint32_t classes() const { return 1U << class_bits; }
  SORTLAB_HOST_DEVICE std::uint32_t stride() const { return classes() + 2; }  ///< of a tile's runs
  SORTLAB_HOST_DEVICE std::uint32_t* counts_of(std::uint32_t parity) const { return counts + parity * 2 * classes(); }
};

/// `state` and arrays are left to the caller. `blocks`: that a device holds at once, each with room for `capacity`
/// keys.
inline OneLevel one_level_of(std::uint64_t n, std::uint32_t blocks, std::uint32_t capacity, std::uint32_t sample) {
  const auto count = static_cast<std::uint32_t>(n);
  const std::uint32_t windows = one_level_windows(count, blocks, capacity);
  std::uint32_t tiles = blocks;
  while (count / tiles >= capacity) tiles += blocks;
  const int class_bits = one_level_class_bits(windows);
  return {.state = nullptr,
          .counts = nullptr,
          .runs = nullptr,
          .rounds = nullptr,
          .ring = count / capacity + 2,
          .n = count,
          .tiles = tiles,
          .windows = windows,
          .class_bits = class_bits,
          .even_keys = one_level_even_keys(count, windows, class_bits, capacity, sample)};
}

/// Equal parts of a range of keys, and beyond it the first and the last.
template <class Word>
struct EvenClasses {
  Word lowest, highest;  ///< with all bits that no key of the sample differs in from another
  int bits;
  std::uint32_t low, range, scale;
  int shift;
  std::uint32_t last;

  __device__ std::uint32_t operator()(Word key) const {
    if (key < lowest) return 0;
    if (key > highest) return last;
    const std::uint32_t upper = upper_bits(key, bits);
    if (upper < low) return 0;
    if (upper - low > range) return last;
    return __umulhi((upper - low) << shift, scale);
  }
};

/// Between splitters.
template <class Word>
struct SplitClasses {
  const Word* tree;
  int class_bits;

  __device__ std::uint32_t operator()(Word key) const {
    std::uint32_t at = 1;
#pragma unroll 1
    for (int step = 0; step < class_bits; ++step) at = 2 * at + (tree[at] <= key ? 1 : 0);
    return at - (1U << class_bits);
  }
};

/// A bucket's elements in a run of each tile.
struct InRuns {
  static constexpr unsigned long long begin = 0;
  const std::uint32_t* ends;   ///< of the bucket: where each tile's run ends
  const std::uint32_t* bases;  ///< added to a place of the run: where it is in the array
  std::uint32_t steps;         ///< a power of two, at least half the tiles
  std::uint32_t tiles;

  __device__ std::uint32_t at(std::uint32_t place) const {
    std::uint32_t tile = 0;  // of those whose run ends by then, the number
    for (std::uint32_t step = steps; step > 0; step /= 2) {
      if (tile + step <= tiles && ends[tile + step - 1] <= place) tile += step;
    }
    return bases[tile] + place;
  }
  template <int kThreadsOf, int kItems>
  struct Places {
    std::uint32_t of[kItems];
    __device__ Places(const InRuns& source, int thread, std::uint32_t count) {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (static_cast<std::uint32_t>(i * kThreadsOf) >= count) break;
        const auto place = static_cast<std::uint32_t>(thread + i * kThreadsOf);
        of[i] = place < count ? source.at(place) : 0;
      }
    }
    __device__ std::uint32_t operator[](int i) const {
      return of[i];
    }
  };
};

/// Dynamic shared memory of a block.
template <class Word, class V, int kOfThread>
struct OneStage {
  static constexpr int kItems = kOfThread;
  using Bucket = BucketStage<Word, V, kMostThreads, kItems>;
  static constexpr std::uint32_t kTreeAt = Bucket::kElementBytes + kOneClasses * 4;
  static constexpr std::uint32_t kBytes =
      std::max<std::uint32_t>({Bucket::kBytes, kTreeAt + kOneClasses * sizeof(Word),
                               2 * kOneMostSample* static_cast<std::uint32_t>(sizeof(Word)) + 16});

  Word* keys;  ///< of a tile, by class
  V* values;
  Word* exchange;         ///< of the sample, while it is sorted
  std::uint32_t* counts;  ///< of a tile's classes, then where each begins
  Word* tree;

  __device__ explicit OneStage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kMostThreads * kItems)),
        exchange(keys),
        counts(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + Bucket::kElementBytes)),
        tree(reinterpret_cast<Word*>(reinterpret_cast<std::byte*>(shared) + kTreeAt)) {}
};

struct OneShared {
  BucketShared bucket;
  std::uint32_t begins[kOneClasses + 1];
  std::uint32_t ends[kOneTiles];
  std::uint32_t bases[kOneTiles];
  std::uint32_t pure[kOneClasses / kWarp];    ///< a bit a class: its keys are equal
  std::uint32_t copied[kOneClasses / kWarp];  ///< a bit a class: copied to its place, not sorted
  std::uint32_t first, last;                  ///< classes of a window
};

static_assert(sizeof(OneShared) == kOneSharedBytes);

template <class Word, class V, int kItems>
inline constexpr std::uint32_t kOneSample = one_level_sample(kItems, sizeof(Word), kValueBytes<V>);

/// Which class a key is of, by a sample: true, and `even`, or false, and a tree of splitters and `pure`.
template <class Word, class V, int kItems>
__device__ bool choose_classes(const Word* keys, std::uint32_t count, const KeyOrder<Word>& order, const OneLevel& plan,
                               const OneStage<Word, V, kItems>& stage, OneShared& shared, EvenClasses<Word>& even) {
  constexpr std::uint32_t kSample = kOneSample<Word, V, kItems>, kOf = kSample / kMostThreads;
  const std::uint32_t thread = threadIdx.x, classes = plan.classes();
  Word sample[kOf];
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) {
    sample[r] = order.ordered(keys[place_of_sample(kOf * thread + r, kSample, count)]);
  }
  const Word first = order.ordered(keys[place_of_sample(0, kSample, count)]);
  if (thread < 2) shared.bucket.differ[thread] = 0;
  if (thread == 0) {
    shared.bucket.low = ~0U;
    shared.bucket.high = 0;
  }
  for (std::uint32_t c = thread; c < classes; c += kMostThreads) stage.counts[c] = 0;
  if (thread < kOneClasses / kWarp) shared.pure[thread] = 0;
  __syncthreads();
  Word differ = 0;
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) differ |= sample[r] ^ first;
  or_into(shared.bucket.differ, differ);
  __syncthreads();
  constexpr int kWidth = 8 * sizeof(Word);
  const int bits = max(1, bit_length(shared.bucket.differ));
  const auto below = static_cast<Word>(static_cast<Word>(~Word{0}) >> (kWidth - bits));
  even.bits = bits;
  even.lowest = first & static_cast<Word>(~below);
  even.highest = first | below;
  std::uint32_t lowest = ~0U, highest = 0;
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) {
    lowest = min(lowest, upper_bits(sample[r], bits));
    highest = max(highest, upper_bits(sample[r], bits));
  }
  lowest = ~max_of_warp(~lowest);
  highest = max_of_warp(highest);
  if (thread % kWarp == 0) {
    atomicMin(&shared.bucket.low, lowest);
    atomicMax(&shared.bucket.high, highest);
  }
  __syncthreads();
  even.low = shared.bucket.low;
  even.range = shared.bucket.high - even.low;
  even.shift = min(31, __clz(static_cast<int>(even.range)));
  // Rounded down by more than the errors of a float, so that no class is beyond the last.
  even.scale = static_cast<std::uint32_t>(static_cast<float>(classes) * (0x1p32F - 0x1p12F) /
                                          (static_cast<float>(even.range << even.shift) + 256));
  even.last = classes - 1;
  bool uneven = even.range == 0;
  if (!uneven) {
#pragma unroll
    for (std::uint32_t r = 0; r < kOf; ++r) {
      if (atomicAdd(stage.counts + even(sample[r]), 1U) >= plan.even_keys) uneven = true;
    }
  }
  if (__syncthreads_or(uneven) == 0) return true;

  sort_sample<kSample>(sample, stage.exchange);
  __syncthreads();
#pragma unroll
  for (std::uint32_t r = 0; r < kOf; ++r) stage.exchange[kOf * thread + r] = sample[r];
  __syncthreads();
  const std::uint32_t step = kSample >> plan.class_bits;
  const Word highest_key = static_cast<Word>(~Word{0});
  const auto splitter = [&](std::uint32_t i) {
    const Word key = stage.exchange[step * (i + 1) - 1];
    const bool follows = i > 0 && key == stage.exchange[step * i - 1] && key != highest_key;
    return follows ? static_cast<Word>(key + 1) : key;
  };
  Word splitters[kOneClasses / kMostThreads];
  bool is_pure[kOneClasses / kMostThreads];
#pragma unroll
  for (std::uint32_t r = 0; r < kOneClasses / kMostThreads; ++r) {
    const std::uint32_t c = r * kMostThreads + thread;
    splitters[r] = c + 1 < classes ? splitter(c) : highest_key;
    // Class c is the keys from splitter c - 1 on, before splitter c.
    is_pure[r] = false;
    if (c > 0 && c + 1 < classes) is_pure[r] = static_cast<Word>(splitters[r] - splitter(c - 1)) <= 1;
    if (c > 0 && c + 1 == classes) is_pure[r] = splitter(c - 1) == highest_key;
    const std::uint32_t word = __ballot_sync(kAllLanes, is_pure[r]);
    if (c < classes && thread % kWarp == 0) shared.pure[c / kWarp] = word;
  }
  __syncthreads();  // the tree may lie where the sample does
#pragma unroll
  for (std::uint32_t r = 0; r < kOneClasses / kMostThreads; ++r) {
    const std::uint32_t c = r * kMostThreads + thread;
    if (c < classes) stage.tree[c + 1 < classes ? place_in_tree(c + 1, classes) : 0] = splitters[r];
  }
  __syncthreads();
  return false;
}

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
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (nobody(i)) break;
    const std::uint32_t of_key = has(i) ? class_of(arrays.order.ordered(keys[i])) : 0;
    if (i == 0) hot = hot_digit(of_key, has(0));
    std::uint32_t rank = 0;
    if (hot != kNoDigit) {
      rank = place_beside(stage.counts, of_key, has(i), hot);
    } else if (has(i)) {
      rank = atomicAdd(stage.counts + of_key, 1U);
    }
    slots[i] = of_key | rank << 16;
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

/// The first class from `c` on that is copied, or kOneClasses.
__device__ inline std::uint32_t next_copied(const OneShared& shared, std::uint32_t c) {
  while (c < kOneClasses) {
    const std::uint32_t word = shared.copied[c / kWarp] >> c % kWarp;
    if (word != 0) return c + static_cast<std::uint32_t>(__ffs(static_cast<int>(word))) - 1;
    c = (c / kWarp + 1) * kWarp;
  }
  return c;
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
  if (thread == 0) shared.begins[classes] = count;
  const bool copies = __syncthreads_or(may_copy) != 0;
  if (copies) {
    for (std::uint32_t c = thread; c < kOneClasses; c += kMostThreads) {
      bool is_copied = false;
      if (c < classes && shared.begins[c + 1] > shared.begins[c]) {
        const Window of = window_of(shared.begins[c] / window, window, count, classes, shared);
        const std::uint32_t keys = shared.begins[of.last] - shared.begins[of.first];
        const bool is_round = c < of.last && keys > kCapacity;
        is_copied = is_round || c >= of.last;
        if (is_round && blockIdx.x == 0 && shared.begins[c] == shared.begins[of.first]) {
          plan.rounds[atomicAdd(&plan.state->rounds, 1U) % plan.ring] = {round.begin + shared.begins[c], keys};
        }
      }
      const std::uint32_t word = __ballot_sync(kAllLanes, is_copied);
      if (thread % kWarp == 0) shared.copied[c / kWarp] = word;
    }
    __syncthreads();
    for (std::uint32_t t = blockIdx.x; t < plan.tiles; t += gridDim.x) {
      const std::uint16_t* const runs = plan.runs + t * plan.stride();
      for (std::uint32_t c = next_copied(shared, 0); c < classes; c = next_copied(shared, c + 1)) {
        const std::uint32_t keys = runs[c + 1] - runs[c];
        if (keys == 0) continue;
        if (thread == 0) shared.first = atomicAdd(counts + classes + c, keys);
        __syncthreads();
        const std::uint32_t from = round.begin + t * tile + runs[c];
        const std::uint32_t to = round.begin + shared.begins[c] + shared.first;
        for (std::uint32_t i = thread; i < keys; i += kMostThreads) {
          arrays.keys[0][to + i] = arrays.keys[1][from + i];
          if constexpr (kHasValue<V>) arrays.values[0][to + i] = arrays.values[1][from + i];
        }
        __syncthreads();
      }
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
      __syncthreads();
      const Bucket bucket{
          .begin = round.begin + shared.begins[first], .count = keys, .left = 8 * sizeof(Word), .side = 1, .merged = 1};
      sort_bucket(arrays, bucket, InRuns{shared.ends, shared.bases, steps, plan.tiles},
                  typename OneStage<Word, V, kItems>::Bucket{dynamic}, shared.bucket);
    }
    __syncthreads();
  }
  return copies;
}

template <class Word, class V, int kItems>
__global__ void __launch_bounds__(kMostThreads, 1) sort_one_level(Arrays<Word, V> arrays, OneLevel plan) {
  static_assert(OneStage<Word, V, kItems>::kBytes == one_stage_bytes(kItems, sizeof(Word), kValueBytes<V>));
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
