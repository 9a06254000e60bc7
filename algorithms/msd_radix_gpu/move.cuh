// Partitions a tile by digit. Per key, one atomic addition in shared memory counts the digits; per digit, one in global
// memory reserves its run; and per key, a second in shared memory gives its rank in the run. The runs are then written
// from shared memory. Not stable.
#pragma once

#include "algorithms/msd_radix_gpu/splitters.cuh"

namespace sortlab::msd_gpu {

/// Layout of a tile of at most kMaxDigits digits in a block's dynamic shared memory.
template <class Word, class V, std::uint32_t kMaxDigits = kDigits>
struct Stage {
  static constexpr int kItems = tile_items(sizeof(Word), kValueBytes<V>);
  static constexpr std::uint32_t kElements = kThreads * kItems;
  static constexpr std::uint32_t kPerThread = std::max(kMaxDigits / kThreads, 1U);  ///< consecutive digits per thread
  static constexpr std::uint32_t kTreeAt =
      kElements * (sizeof(Word) + kValueBytes<V>)+kMaxDigits * (sizeof(unsigned long long) + 4) + kThreads / kWarp * 4;
  static constexpr std::uint32_t kBytes = kTreeAt + (kMaxDigits == kDigits ? kDigits * sizeof(Word) + kElements : 0);
  static_assert(kTreeAt % sizeof(Word) == 0);
  static_assert(kBytes == tile_stage_bytes(kItems, kMaxDigits, sizeof(Word), kValueBytes<V>) &&
                kBytes <= kMaxDynamicBytes);

  Word* keys;
  V* values;
  long long* bases;       ///< per digit: global position that corresponds to the stage's first position
  std::uint32_t* places;  ///< per digit: number of keys, then its begin in the stage
  std::uint32_t* warps;
  Word* tree;              ///< search tree of splitters, if there are at most kDigits digits
  std::uint8_t* class_at;  ///< class of the key at each position, if divided by splitters

  __device__ explicit Stage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kElements)),
        bases(reinterpret_cast<long long*>(reinterpret_cast<std::byte*>(shared) +
                                           kElements * (sizeof(Word) + kValueBytes<V>))),
        places(reinterpret_cast<std::uint32_t*>(bases + kMaxDigits)),
        warps(places + kMaxDigits),
        tree(reinterpret_cast<Word*>(reinterpret_cast<std::byte*>(shared) + kTreeAt)),
        class_at(reinterpret_cast<std::uint8_t*>(tree + kDigits)) {}
};

/// Digits of a tile's keys, recomputed from the key whenever needed.
template <class Word, class V>
struct Digits {
  Digit<Word> digit;

  __device__ void find(const Word (&)[Stage<Word, V>::kItems], std::uint32_t) {}
  __device__ std::uint32_t count() const { return digit.count(); }
  __device__ std::uint32_t get(int, Word key) const { return digit(key); }
  __device__ void put(std::uint32_t, std::uint32_t) const {}
  __device__ std::uint32_t at(std::uint32_t, Word key) const { return digit(key); }
};

/// Digits clamped to a range, for inputs with keys outside of it: of the digits of both top levels, the bits from
/// `shift` on, with `digits` values.
template <class Word, class V>
struct ClampedDigits {
  const KeyOrder<Word>& order;
  RangeDigit<Word> digit;
  int shift;  ///< position of the level's digit among the bits of both top levels
  std::uint32_t digits;

  __device__ void find(const Word (&)[Stage<Word, V>::kItems], std::uint32_t) {}
  __device__ std::uint32_t count() const { return digits; }
  __device__ std::uint32_t get(int, Word key) const { return digit(order.ordered(key)) >> shift & (digits - 1); }
  __device__ void put(std::uint32_t, std::uint32_t) const {}
  __device__ std::uint32_t at(std::uint32_t, Word key) const { return get(0, key); }
};

/// Classes between splitters: searched once, kept four to a register, then stored beside the key.
template <class Word, class V>
struct Classes {
  static constexpr int kItems = Stage<Word, V>::kItems;
  static constexpr int kPerWord = 4;

  const KeyOrder<Word>& order;
  const Word* tree;
  std::uint8_t* class_at;
  std::uint32_t words[(kItems + kPerWord - 1) / kPerWord];

  __device__ Classes(const KeyOrder<Word>& key_order, const Stage<Word, V>& stage)
      : order(key_order), tree(stage.tree), class_at(stage.class_at) {}
  __device__ void find(const Word (&keys)[kItems], std::uint32_t count) {
#pragma unroll
    for (int first = 0; first < kItems; first += kPerWord) {
      if (static_cast<std::uint32_t>(first) * kThreads >= count) break;
      Word ordered[kPerWord];
      std::uint32_t classes[kPerWord];
#pragma unroll
      for (int i = 0; i < kPerWord; ++i) {
        ordered[i] = order.ordered(keys[min(first + i, kItems - 1)]);
      }
      classify(tree, kDigitBits, ordered, classes);
      words[first / kPerWord] = classes[0] | classes[1] << 8 | classes[2] << 16 | classes[3] << 24;
    }
  }
  __device__ std::uint32_t count() const {
    return kDigits;
  }
  __device__ std::uint32_t get(int i, Word) const {
    return words[i / kPerWord] >> (8 * (i % kPerWord)) & 0xFF;
  }
  __device__ void put(std::uint32_t place, std::uint32_t digit) const {
    class_at[place] = static_cast<std::uint8_t>(digit);
  }
  __device__ std::uint32_t at(std::uint32_t place, Word) const {
    return class_at[place];
  }
};

/// Reserves the next position of its digit for each lane's key. `hot`: a digit that many lanes are expected to have; if
/// no lane has it, it becomes the digit of the first lane.
__device__ inline std::uint32_t take_place(std::uint32_t* places, std::uint32_t digit, bool is_key,
                                           std::uint32_t& hot) {
  std::uint32_t lanes = __ballot_sync(kAllLanes, is_key && digit == hot);
  if (lanes == 0) {  // happens in sorted inputs
    hot = __shfl_sync(kAllLanes, digit, 0);
    lanes = __ballot_sync(kAllLanes, is_key && digit == hot);
  }
  const std::uint32_t lane = threadIdx.x % kWarp;
  std::uint32_t first = 0;
  if (lanes != 0 && lane == static_cast<std::uint32_t>(__ffs(static_cast<int>(lanes))) - 1) {
    first = atomicAdd(places + hot, static_cast<std::uint32_t>(__popc(lanes)));
  }
  if (lanes != 0) first = __shfl_sync(kAllLanes, first, __ffs(static_cast<int>(lanes)) - 1);
  if (!is_key) return 0;
  if (digit == hot) return first + static_cast<std::uint32_t>(__popc(lanes & ((1U << lane) - 1)));
  return atomicAdd(places + digit, 1U);
}

/// Partitions the tile of `count` elements from `begin` on in `buffer` into the other buffer. `reserve(digit, keys)`
/// returns the position of a digit's run there.
template <bool kFull, class Word, class V, class Digits, class Reserve, std::uint32_t kMaxDigits>
__device__ void partition_tile(const Arrays<Word, V>& arrays, int buffer, Digits digits, const Reserve& reserve,
                               std::uint64_t begin, std::uint32_t count, const Stage<Word, V, kMaxDigits>& stage) {
  constexpr int kItems = Stage<Word, V>::kItems;
  constexpr std::uint32_t kPerThread = Stage<Word, V, kMaxDigits>::kPerThread;
  const std::uint32_t first_digit = threadIdx.x * kPerThread;
  const auto position = [](int i) { return threadIdx.x + static_cast<std::uint32_t>(i) * kThreads; };
  const auto is_key = [&](int i) { return kFull || position(i) < count; };
  const auto past_end = [&](int i) { return !kFull && static_cast<std::uint32_t>(i) * kThreads >= count; };

  Word keys[kItems];
  V values[kHasValue<V> ? kItems : 1];
  const Word* keys_in = arrays.keys_on(buffer) + begin;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (past_end(i)) break;
    if (is_key(i)) keys[i] = keys_in[position(i)];
  }
  if constexpr (kHasValue<V>) {
    const V* values_in = arrays.values_on(buffer) + begin;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (past_end(i)) break;
      if (is_key(i)) values[i] = values_in[position(i)];
    }
  }
  for (std::uint32_t d = threadIdx.x; d < kMaxDigits; d += kThreads) stage.places[d] = 0;
  __syncthreads();
  digits.find(keys, kFull ? Stage<Word, V>::kElements : count);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (past_end(i)) break;
    if (is_key(i)) atomicAdd(stage.places + digits.get(i, keys[i]), 1U);
  }
  __syncthreads();
  // A thread reserves runs of digits kThreads apart, so that the atomic additions of a warp access contiguous memory.
  const auto apart = [](std::uint32_t k) { return k * kThreads + threadIdx.x; };
  long long to[kPerThread];
#pragma unroll
  for (std::uint32_t k = 0; k < kPerThread; ++k) {
    const std::uint32_t keys_of_digit = apart(k) < digits.count() ? stage.places[apart(k)] : 0;
    to[k] = keys_of_digit > 0 ? reserve(apart(k), keys_of_digit) : 0;
  }
  std::uint32_t counts[kPerThread];
  std::uint32_t mine = 0, all;
#pragma unroll
  for (std::uint32_t k = 0; k < kPerThread; ++k) {
    counts[k] = first_digit + k < digits.count() ? stage.places[first_digit + k] : 0;
    mine += counts[k];
  }
  std::uint32_t first = exclusive_sum<false>(mine, all, stage.warps);
#pragma unroll
  for (std::uint32_t k = 0; k < kPerThread; ++k) {
    if (first_digit + k < digits.count()) stage.places[first_digit + k] = first;
    first += counts[k];
  }
  __syncthreads();
#pragma unroll
  for (std::uint32_t k = 0; k < kPerThread; ++k) {
    if (apart(k) < digits.count()) stage.bases[apart(k)] = to[k] - stage.places[apart(k)];
  }
  __syncthreads();
  const auto put = [&](int i, std::uint32_t place, std::uint32_t digit) {
    digits.put(place, digit);
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = values[i];
  };
#pragma unroll
  for (int i = 0; i < kItems; ++i) forget(keys[i]);
  std::uint32_t hot = hot_digit(is_key(0) ? digits.get(0, keys[0]) : 0, is_key(0));
  if (hot != kNoDigit) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (past_end(i)) break;
      const std::uint32_t digit = is_key(i) ? digits.get(i, keys[i]) : kMaxDigits;
      const std::uint32_t place = take_place(stage.places, digit, is_key(i), hot);
      if (is_key(i)) put(i, place, digit);
    }
  } else {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (past_end(i)) break;
      if (!is_key(i)) continue;
      const std::uint32_t digit = digits.get(i, keys[i]);
      put(i, atomicAdd(stage.places + digit, 1U), digit);
    }
  }
  __syncthreads();
  // Several keys per thread at a time: each needs two dependent loads before its store.
  const int thread = opaque_thread();
  Word* const keys_out = arrays.keys_on(1 - buffer) + thread;
  V* const values_out = arrays.values_on(1 - buffer) + thread;
  const Word* const staged_keys = stage.keys + thread;
  constexpr int kAtOnce = kFull ? 6 : 2;
#pragma unroll
  for (int from = 0; from < kItems; from += kAtOnce) {
    if (past_end(from)) break;
    Word staged[kAtOnce];
    long long bases[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce && from + k < kItems; ++k) {
      if (is_key(from + k)) staged[k] = staged_keys[(from + k) * kThreads];
    }
#pragma unroll
    for (int k = 0; k < kAtOnce && from + k < kItems; ++k) {
      if (is_key(from + k)) bases[k] = stage.bases[digits.at(position(from + k), staged[k])];
    }
#pragma unroll
    for (int k = 0; k < kAtOnce && from + k < kItems; ++k) {
      if (!is_key(from + k)) continue;
      keys_out[bases[k] + (from + k) * kThreads] = staged[k];
      if constexpr (kHasValue<V>) {
        values_out[bases[k] + (from + k) * kThreads] = stage.values[position(from + k)];
      }
    }
    compiler_barrier();
  }
}

/// Writes a tile's part of a sorted segment from its counts; its keys differ only in their digit.
template <class Word, class V>
__device__ void fill_tile(const Arrays<Word, V>& arrays, const Segment& segment, std::uint64_t begin,
                          std::uint32_t count, const Stage<Word, V>& stage) {
  const std::uint32_t digits = segment.digits();
  for (std::uint32_t d = threadIdx.x; d < digits; d += kThreads) {
    stage.bases[d] = static_cast<long long>(segment.row[d]);
  }
  __syncthreads();
  // No thread may overwrite the segment's keys before all have read one of them.
  const Word low = static_cast<Word>(digits - 1);
  const Word prefix = arrays.order.ordered(arrays.keys_on(segment.buffer)[begin]) & static_cast<Word>(~low);
  __syncthreads();
  std::uint32_t digit = 0;  // the last digit that begins no later than the thread's first key
  for (std::uint32_t step = digits / 2; step > 0; step /= 2) {
    if (static_cast<std::uint64_t>(stage.bases[digit + step]) <= begin + threadIdx.x) digit += step;
  }
  const auto digit_end = [&](std::uint32_t d) {
    return d + 1 < digits ? static_cast<std::uint64_t>(stage.bases[d + 1]) : segment.begin + segment.count;
  };
  std::uint64_t end = digit_end(digit);
  for (std::uint32_t i = threadIdx.x; i < count; i += kThreads) {
    while (end <= begin + i) {
      ++digit;
      end = digit_end(digit);
    }
    arrays.keys[0][begin + i] = arrays.order.restored(prefix | static_cast<Word>(digit));
  }
}

template <class Word, class V>
__device__ void copy_tile(const Arrays<Word, V>& arrays, std::uint64_t begin, std::uint32_t count) {
  for (std::uint32_t i = threadIdx.x; i < count; i += kThreads) {
    arrays.keys[0][begin + i] = arrays.keys[1][begin + i];
    if constexpr (kHasValue<V>) arrays.values[0][begin + i] = arrays.values[1][begin + i];
  }
}

template <class Word, class V, class Digits, class Reserve, std::uint32_t kMaxDigits>
__device__ void partition_by(const Arrays<Word, V>& arrays, int buffer, const Digits& digits, const Reserve& reserve,
                             std::uint64_t begin, std::uint32_t count, const Stage<Word, V, kMaxDigits>& stage) {
  if (count == Stage<Word, V>::kElements) {
    partition_tile<true>(arrays, buffer, digits, reserve, begin, count, stage);
  } else {
    partition_tile<false>(arrays, buffer, digits, reserve, begin, count, stage);
  }
}

/// Reserves runs in the row of a segment.
struct ReserveInRow {
  unsigned long long* row;

  __device__ long long operator()(std::uint32_t digit, std::uint32_t keys) const {
    return static_cast<long long>(atomicAdd(row + digit, static_cast<unsigned long long>(keys)));
  }
};

/// Moves a tile according to its segment's kind. `tree`: the segment's splitters in global memory, or null.
template <bool kMayHaveSplitters, class Word, class V>
__device__ void move_tile(const Arrays<Word, V>& arrays, const Segment& segment, const Word* tree, std::uint64_t begin,
                          std::uint32_t count, const Stage<Word, V>& stage) {
  switch (segment.kind) {
    case Kind::divide:
      if (kMayHaveSplitters && tree != nullptr) {
        if (threadIdx.x < kDigits) stage.tree[threadIdx.x] = tree[threadIdx.x];
        partition_by(arrays, segment.buffer, Classes<Word, V>{arrays.order, stage}, ReserveInRow{segment.row}, begin,
                     count, stage);
      } else {
        partition_by(arrays, segment.buffer, Digits<Word, V>{{arrays.order, segment.shift(), segment.bits}},
                     ReserveInRow{segment.row}, begin, count, stage);
      }
      break;
    case Kind::fill:
      if constexpr (!kHasValue<V>) fill_tile(arrays, segment, begin, count, stage);
      break;
    case Kind::copy: copy_tile(arrays, begin, count); break;
    case Kind::done: break;
  }
}

/// Calls `move(t)` for tiles taken from a shared counter, in the order in which blocks become free: neighbouring runs
/// are then written at about the same time and are combined in L2. `taken`: initially 0.
template <class Move>
__device__ void take_tiles(std::uint32_t tiles, std::uint32_t* taken, const Move& move) {
  __shared__ std::uint32_t next;
  for (;;) {
    if (threadIdx.x == 0) next = atomicAdd(taken, 1U);
    __syncthreads();
    const std::uint32_t t = next;
    if (t >= tiles) break;
    move(t);
    __syncthreads();
  }
}

/// Calls `move(tile, segment)` for the tiles of a level that this block takes.
template <class Move>
__device__ void take_level_tiles(const Lists& lists, int level, const Move& move) {
  take_tiles(lists.state->tiles[level], lists.state->taken + level, [&](std::uint32_t t) {
    const Tile tile = lists.level_tiles(level)[t];
    move(tile, lists.level_segments(level)[tile.segment]);
  });
}

/// Moves the tiles of a level.
template <bool kMayHaveSplitters, class Word, class V>
__device__ void move_level(const Arrays<Word, V>& arrays, const Lists& lists, int level, const Stage<Word, V>& stage) {
  take_level_tiles(lists, level, [&](const Tile& tile, const Segment& segment) {
    move_tile<kMayHaveSplitters>(arrays, segment,
                                 segment.by_splitters ? lists.splitter_tree<Word>(tile.segment) : nullptr, tile.begin,
                                 tile.count, stage);
  });
}

/// Moves the tiles of all keys.
template <class Word, class V, class Digits, class Reserve, std::uint32_t kMaxDigits>
__device__ void move_all(const Arrays<Word, V>& arrays, const Lists& lists, const Digits& digits,
                         const Reserve& reserve, const Stage<Word, V, kMaxDigits>& stage) {
  const std::uint64_t tile = lists.tile_elements;
  const auto tiles = static_cast<std::uint32_t>((lists.n + tile - 1) / tile);
  take_tiles(tiles, lists.state->taken, [&](std::uint32_t t) {
    const std::uint64_t begin = t * tile, rest = lists.n - begin;
    partition_by(arrays, 0, digits, reserve, begin, static_cast<std::uint32_t>(rest < tile ? rest : tile), stage);
  });
}

/// Moves the first level if each top level has a partition of its own.
template <class Word, class V, std::uint32_t kMaxDigits>
__global__ void __launch_bounds__(kThreads, kBlocks) move_first(Arrays<Word, V> arrays, Lists lists) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  const Segment segment = lists.state->first;
  if (segment.kind == Kind::done) return;
  const Stage<Word, V, kMaxDigits> stage{shared};
  if (has_outliers(*lists.state)) {
    const Top& top = lists.top_levels;
    const ClampedDigits<Word, V> digits{
        arrays.order, {counted_range<Word>(*lists.state), top.bits()}, top.second_bits, segment.digits()};
    move_all(arrays, lists, digits, ReserveInRow{segment.row}, stage);
  } else {
    move_all(arrays, lists, Digits<Word, V>{{arrays.order, segment.shift(), segment.bits}}, ReserveInRow{segment.row},
             stage);
  }
}

/// Moves the tiles of the second level by clamped digits.
template <class Word, class V>
__device__ void move_clamped(const Arrays<Word, V>& arrays, const Lists& lists, int level,
                             const Stage<Word, V>& stage) {
  take_level_tiles(lists, level, [&](const Tile& tile, const Segment& segment) {
    if (segment.kind != Kind::divide) return;
    const ClampedDigits<Word, V> digits{
        arrays.order, {counted_range<Word>(*lists.state), lists.top_levels.bits()}, 0, segment.digits()};
    partition_by(arrays, segment.buffer, digits, ReserveInRow{segment.row}, tile.begin, tile.count, stage);
  });
}

/// Moves the second level if it has a partition of its own. Compiled without splitters, so that all variables fit into
/// registers.
template <class Word, class V>
__global__ void __launch_bounds__(kThreads, kBlocks) move_second(Arrays<Word, V> arrays, Lists lists) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  constexpr int kLevel = kTopLevels - 1;
  if (has_outliers(*lists.state)) {
    move_clamped(arrays, lists, kLevel, Stage<Word, V>{shared});
  } else {
    move_level<false>(arrays, lists, kLevel, Stage<Word, V>{shared});
  }
}

template <class Word, class V>
__global__ void __launch_bounds__(kThreads, kBlocks) move_tiles(Arrays<Word, V> arrays, Lists lists, int level) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  move_level<true>(arrays, lists, level, Stage<Word, V>{shared});
}

}  // namespace sortlab::msd_gpu
