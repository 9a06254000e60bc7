// Moves the elements of a tile to where their digits go. One addition in shared memory per key counts the digits, one
// in global memory per digit reserves its run, and a second in shared memory per key gives the key's place in the run;
// runs are then written from shared memory. Not stable.
#pragma once

#include "algorithms/msd_radix_gpu/splitters.cuh"

namespace sortlab::msd_gpu {

/// Where a block stages its tile, of as many digits at most; in dynamic shared memory.
template <class Word, class V, std::uint32_t kMostDigits = kDigits>
struct Stage {
  static constexpr int kItems = tile_items(sizeof(Word), kValueBytes<V>);
  static constexpr std::uint32_t kElements = kThreads * kItems;
  static constexpr std::uint32_t kOfThread = std::max(kMostDigits / kThreads, 1U);  ///< digits, in a row
  static constexpr std::uint32_t kTreeAt =
      kElements * (sizeof(Word) + kValueBytes<V>)+kMostDigits * (sizeof(unsigned long long) + 4) + kThreads / kWarp * 4;
  static constexpr std::uint32_t kBytes = kTreeAt + (kMostDigits == kDigits ? kDigits * sizeof(Word) + kElements : 0);
  static_assert(kTreeAt % sizeof(Word) == 0);
  static_assert(kBytes == tile_stage_bytes(kItems, kMostDigits, sizeof(Word), kValueBytes<V>) &&
                kBytes <= kMostDynamic);

  Word* keys;
  V* values;
  long long* bases;       ///< of a digit: where in memory the stage's first place would go
  std::uint32_t* places;  ///< of a digit: keys of it, then where in the stage they begin
  std::uint32_t* warps;
  Word* tree;              ///< of splitters, where there are kDigits digits at most
  std::uint8_t* class_at;  ///< of the key at a place, between splitters

  __device__ explicit Stage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kElements)),
        bases(reinterpret_cast<long long*>(reinterpret_cast<std::byte*>(shared) +
                                           kElements * (sizeof(Word) + kValueBytes<V>))),
        places(reinterpret_cast<std::uint32_t*>(bases + kMostDigits)),
        warps(places + kMostDigits),
        tree(reinterpret_cast<Word*>(reinterpret_cast<std::byte*>(shared) + kTreeAt)),
        class_at(reinterpret_cast<std::uint8_t*>(tree + kDigits)) {}
};

/// Digits of a tile's keys: taken from a key whenever they are wanted.
template <class Word, class V>
struct Digits {
  Digit<Word> digit;

  __device__ void find(const Word (&)[Stage<Word, V>::kItems], std::uint32_t) {}
  __device__ std::uint32_t count() const { return digit.count(); }
  __device__ std::uint32_t of(int, Word key) const { return digit(key); }
  __device__ void put(std::uint32_t, std::uint32_t) const {}
  __device__ std::uint32_t at(std::uint32_t, Word key) const { return digit(key); }
};

/// Digits of a range outside of which there are keys, too: of the digits of all top levels the lowest bits, of as many
/// digits as there are.
template <class Word, class V>
struct ClampedDigits {
  const KeyOrder<Word>& order;
  RangeDigit<Word> digit;
  int shift;  ///< of the level's digit among those of all
  std::uint32_t digits;

  __device__ void find(const Word (&)[Stage<Word, V>::kItems], std::uint32_t) {}
  __device__ std::uint32_t count() const { return digits; }
  __device__ std::uint32_t of(int, Word key) const { return digit(order.ordered(key)) >> shift & (digits - 1); }
  __device__ void put(std::uint32_t, std::uint32_t) const {}
  __device__ std::uint32_t at(std::uint32_t, Word key) const { return of(0, key); }
};

/// Classes between splitters instead: searched for once, four of them in a word of the thread, then kept beside the
/// key.
template <class Word, class V>
struct Classes {
  static constexpr int kItems = Stage<Word, V>::kItems;
  static constexpr int kOfWord = 4;

  const KeyOrder<Word>& order;
  const Word* tree;
  std::uint8_t* class_at;
  std::uint32_t words[(kItems + kOfWord - 1) / kOfWord];

  __device__ Classes(const KeyOrder<Word>& of_keys, const Stage<Word, V>& stage)
      : order(of_keys), tree(stage.tree), class_at(stage.class_at) {}
  __device__ void find(const Word (&keys)[kItems], std::uint32_t count) {
#pragma unroll
    for (int first = 0; first < kItems; first += kOfWord) {
      if (static_cast<std::uint32_t>(first) * kThreads >= count) break;
      Word ordered[kOfWord];
      std::uint32_t classes[kOfWord];
#pragma unroll
      for (int i = 0; i < kOfWord; ++i) {
        ordered[i] = order.ordered(keys[min(first + i, kItems - 1)]);
      }
      classify(tree, kDigitBits, ordered, classes);
      words[first / kOfWord] = classes[0] | classes[1] << 8 | classes[2] << 16 | classes[3] << 24;
    }
  }
  __device__ std::uint32_t count() const {
    return kDigits;
  }
  __device__ std::uint32_t of(int i, Word) const {
    return words[i / kOfWord] >> (8 * (i % kOfWord)) & 0xFF;
  }
  __device__ void put(std::uint32_t place, std::uint32_t digit) const {
    class_at[place] = static_cast<std::uint8_t>(digit);
  }
  __device__ std::uint32_t at(std::uint32_t place, Word) const {
    return class_at[place];
  }
};

/// Takes for each lane's key the next place of its digit. `hot`: a digit that many lanes are expected to have, or,
/// where none has it, that of the first from now on.
__device__ inline std::uint32_t place_beside(std::uint32_t* places, std::uint32_t digit, bool real,
                                             std::uint32_t& hot) {
  std::uint32_t lanes = __ballot_sync(kAllLanes, real && digit == hot);
  if (lanes == 0) {  // as where keys are in order
    hot = __shfl_sync(kAllLanes, digit, 0);
    lanes = __ballot_sync(kAllLanes, real && digit == hot);
  }
  const std::uint32_t lane = threadIdx.x % kWarp;
  std::uint32_t first = 0;
  if (lanes != 0 && lane == static_cast<std::uint32_t>(__ffs(static_cast<int>(lanes))) - 1) {
    first = atomicAdd(places + hot, static_cast<std::uint32_t>(__popc(lanes)));
  }
  if (lanes != 0) first = __shfl_sync(kAllLanes, first, __ffs(static_cast<int>(lanes)) - 1);
  if (!real) return 0;
  if (digit == hot) return first + static_cast<std::uint32_t>(__popc(lanes & ((1U << lane) - 1)));
  return atomicAdd(places + digit, 1U);
}

/// The tile of `count` elements from `begin` on in the array `side`. `reserve(digit, keys)`: where in the other they
/// go.
template <bool kFull, class Word, class V, class Digits, class Reserve, std::uint32_t kMostDigits>
__device__ void partition_tile(const Arrays<Word, V>& arrays, int side, Digits digits, const Reserve& reserve,
                               std::uint64_t begin, std::uint32_t count, const Stage<Word, V, kMostDigits>& stage) {
  constexpr int kItems = Stage<Word, V>::kItems;
  constexpr std::uint32_t kOfThread = Stage<Word, V, kMostDigits>::kOfThread;
  const std::uint32_t first_digit = threadIdx.x * kOfThread;
  const auto place_of = [](int i) { return threadIdx.x + static_cast<std::uint32_t>(i) * kThreads; };
  const auto real = [&](int i) { return kFull || place_of(i) < count; };
  const auto nobody = [&](int i) { return !kFull && static_cast<std::uint32_t>(i) * kThreads >= count; };

  Word keys[kItems];
  V values[kHasValue<V> ? kItems : 1];
  const Word* keys_in = arrays.keys_on(side) + begin;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (nobody(i)) break;
    if (real(i)) keys[i] = keys_in[place_of(i)];
  }
  if constexpr (kHasValue<V>) {
    const V* values_in = arrays.values_on(side) + begin;
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (nobody(i)) break;
      if (real(i)) values[i] = values_in[place_of(i)];
    }
  }
  for (std::uint32_t d = threadIdx.x; d < kMostDigits; d += kThreads) stage.places[d] = 0;
  __syncthreads();
  digits.find(keys, kFull ? Stage<Word, V>::kElements : count);
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (nobody(i)) break;
    if (real(i)) atomicAdd(stage.places + digits.of(i, keys[i]), 1U);
  }
  __syncthreads();
  // A thread reserves the runs of digits that lie apart, so that those of a warp lie in a row in memory.
  const auto apart = [](std::uint32_t k) { return k * kThreads + threadIdx.x; };
  long long to[kOfThread];
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) {
    const std::uint32_t keys_of_digit = apart(k) < digits.count() ? stage.places[apart(k)] : 0;
    to[k] = keys_of_digit > 0 ? reserve(apart(k), keys_of_digit) : 0;
  }
  std::uint32_t counts[kOfThread];
  std::uint32_t mine = 0, all;
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) {
    counts[k] = first_digit + k < digits.count() ? stage.places[first_digit + k] : 0;
    mine += counts[k];
  }
  std::uint32_t first = exclusive_sum<false>(mine, all, stage.warps);
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) {
    if (first_digit + k < digits.count()) stage.places[first_digit + k] = first;
    first += counts[k];
  }
  __syncthreads();
#pragma unroll
  for (std::uint32_t k = 0; k < kOfThread; ++k) {
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
  std::uint32_t hot = hot_digit(real(0) ? digits.of(0, keys[0]) : 0, real(0));
  if (hot != kNoDigit) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (nobody(i)) break;
      const std::uint32_t digit = real(i) ? digits.of(i, keys[i]) : kMostDigits;
      const std::uint32_t place = place_beside(stage.places, digit, real(i), hot);
      if (real(i)) put(i, place, digit);
    }
  } else {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (nobody(i)) break;
      if (!real(i)) continue;
      const std::uint32_t digit = digits.of(i, keys[i]);
      put(i, atomicAdd(stage.places + digit, 1U), digit);
    }
  }
  __syncthreads();
  // Several keys of a thread at once: each takes two dependent loads before its store.
  const int thread = own_thread();
  Word* const keys_out = arrays.keys_on(1 - side) + thread;
  V* const values_out = arrays.values_on(1 - side) + thread;
  const Word* const staged_keys = stage.keys + thread;
  constexpr int kAtOnce = kFull ? 6 : 2;
#pragma unroll
  for (int from = 0; from < kItems; from += kAtOnce) {
    if (nobody(from)) break;
    Word staged[kAtOnce];
    long long bases[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce && from + k < kItems; ++k) {
      if (real(from + k)) staged[k] = staged_keys[(from + k) * kThreads];
    }
#pragma unroll
    for (int k = 0; k < kAtOnce && from + k < kItems; ++k) {
      if (real(from + k)) bases[k] = stage.bases[digits.at(place_of(from + k), staged[k])];
    }
#pragma unroll
    for (int k = 0; k < kAtOnce && from + k < kItems; ++k) {
      if (!real(from + k)) continue;
      keys_out[bases[k] + (from + k) * kThreads] = staged[k];
      if constexpr (kHasValue<V>) {
        values_out[bases[k] + (from + k) * kThreads] = stage.values[place_of(from + k)];
      }
    }
    keep_order();
  }
}

/// Writes the sorted keys of a segment whose digit is all that its keys differ in, as far as the tile goes.
template <class Word, class V>
__device__ void fill_tile(const Arrays<Word, V>& arrays, const Segment& segment, std::uint64_t begin,
                          std::uint32_t count, const Stage<Word, V>& stage) {
  const std::uint32_t digits = segment.digits();
  for (std::uint32_t d = threadIdx.x; d < digits; d += kThreads) {
    stage.bases[d] = static_cast<long long>(segment.row[d]);
  }
  __syncthreads();
  // Nobody writes where the segment's keys lie before all have read one of them.
  const Word low = static_cast<Word>(digits - 1);
  const Word prefix = arrays.order.ordered(arrays.keys_on(segment.side)[begin]) & static_cast<Word>(~low);
  __syncthreads();
  std::uint32_t digit = 0;  // the last that begins no later than the thread's first key
  for (std::uint32_t step = digits / 2; step > 0; step /= 2) {
    if (static_cast<std::uint64_t>(stage.bases[digit + step]) <= begin + threadIdx.x) digit += step;
  }
  const auto end_of = [&](std::uint32_t of) {
    return of + 1 < digits ? static_cast<std::uint64_t>(stage.bases[of + 1]) : segment.begin + segment.count;
  };
  std::uint64_t end = end_of(digit);
  for (std::uint32_t i = threadIdx.x; i < count; i += kThreads) {
    while (end <= begin + i) {
      ++digit;
      end = end_of(digit);
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

template <class Word, class V, class Digits, class Reserve, std::uint32_t kMostDigits>
__device__ void partition_by(const Arrays<Word, V>& arrays, int side, const Digits& digits, const Reserve& reserve,
                             std::uint64_t begin, std::uint32_t count, const Stage<Word, V, kMostDigits>& stage) {
  if (count == Stage<Word, V>::kElements) {
    partition_tile<true>(arrays, side, digits, reserve, begin, count, stage);
  } else {
    partition_tile<false>(arrays, side, digits, reserve, begin, count, stage);
  }
}

/// By the row of a segment.
struct ReserveInRow {
  unsigned long long* row;

  __device__ long long operator()(std::uint32_t digit, std::uint32_t keys) const {
    return static_cast<long long>(atomicAdd(row + digit, static_cast<unsigned long long>(keys)));
  }
};

/// `tree`: of the segment's splitters, in memory, if it has any.
template <bool kMayHaveSplitters, class Word, class V>
__device__ void move_tile(const Arrays<Word, V>& arrays, const Segment& segment, const Word* tree, std::uint64_t begin,
                          std::uint32_t count, const Stage<Word, V>& stage) {
  switch (segment.kind) {
    case Kind::divide:
      if (kMayHaveSplitters && tree != nullptr) {
        if (threadIdx.x < kDigits) stage.tree[threadIdx.x] = tree[threadIdx.x];
        partition_by(arrays, segment.side, Classes<Word, V>{arrays.order, stage}, ReserveInRow{segment.row}, begin,
                     count, stage);
      } else {
        partition_by(arrays, segment.side, Digits<Word, V>{{arrays.order, segment.shift(), segment.bits}},
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

/// Calls `move(t)` for tiles that no other block has, in the order in which blocks are done with others: neighbouring
/// runs are then written at about the same time, and meet in L2. `taken`: 0 at first.
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

/// Moves the tiles of a level.
template <bool kMayHaveSplitters, class Word, class V>
__device__ void move_level(const Arrays<Word, V>& arrays, const Lists& lists, int level, const Stage<Word, V>& stage) {
  take_tiles(lists.state->tiles[level], lists.state->taken + level, [&](std::uint32_t t) {
    const Tile tile = lists.tiles_of(level)[t];
    const Segment& segment = lists.segments_of(level)[tile.segment];
    move_tile<kMayHaveSplitters>(arrays, segment, segment.by_splitters ? lists.tree_of<Word>(tile.segment) : nullptr,
                                 tile.begin, tile.count, stage);
  });
}

/// Moves the tiles of all keys.
template <class Word, class V, class Digits, class Reserve, std::uint32_t kMostDigits>
__device__ void move_all(const Arrays<Word, V>& arrays, const Lists& lists, const Digits& digits,
                         const Reserve& reserve, const Stage<Word, V, kMostDigits>& stage) {
  const std::uint64_t tile = lists.tile_elements;
  const auto tiles = static_cast<std::uint32_t>((lists.n + tile - 1) / tile);
  take_tiles(tiles, lists.state->taken, [&](std::uint32_t t) {
    const std::uint64_t begin = t * tile, rest = lists.n - begin;
    partition_by(arrays, 0, digits, reserve, begin, static_cast<std::uint32_t>(rest < tile ? rest : tile), stage);
  });
}

/// The first level, where each has a partition of its own.
template <class Word, class V, std::uint32_t kMostDigits>
__global__ void __launch_bounds__(kThreads, kBlocks) move_first(Arrays<Word, V> arrays, Lists lists) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared[];
  const Segment segment = lists.state->first;
  if (segment.kind == Kind::done) return;
  const Stage<Word, V, kMostDigits> stage{shared};
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

/// Moves the tiles of the second level of digits that are clamped.
template <class Word, class V>
__device__ void move_clamped(const Arrays<Word, V>& arrays, const Lists& lists, int level,
                             const Stage<Word, V>& stage) {
  take_tiles(lists.state->tiles[level], lists.state->taken + level, [&](std::uint32_t t) {
    const Tile tile = lists.tiles_of(level)[t];
    const Segment& segment = lists.segments_of(level)[tile.segment];
    if (segment.kind != Kind::divide) return;
    const ClampedDigits<Word, V> digits{
        arrays.order, {counted_range<Word>(*lists.state), lists.top_levels.bits()}, 0, segment.digits()};
    partition_by(arrays, segment.side, digits, ReserveInRow{segment.row}, tile.begin, tile.count, stage);
  });
}

/// The second level's, where it has a partition of its own. It is compiled without splitters: then all fits into
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
