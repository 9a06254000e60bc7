// How a sort of one level (one_level.cuh) is cut into tiles, windows and classes, and what its blocks keep.
#pragma once

#include "algorithms/msd_radix_gpu/bucket.cuh"

namespace sortlab::msd_gpu {

inline constexpr std::uint32_t kOneTiles = kMostThreads;  ///< at most

/// Part of the input, of one class, that is sorted in a round of its own.
struct Round {
  std::uint32_t begin;
  std::uint32_t count;
};

/// Persists from one sort to the next; zero before the first.
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

/// A bucket's elements in a run of each tile.
struct InRuns {
  static constexpr unsigned long long begin = 0;
  static constexpr std::uint32_t kLooked = 3;  ///< runs of a row of places, of a warp, that are looked at at once
  const std::uint32_t* ends;     ///< of the bucket: where each tile's run ends; kLooked more lie behind all places
  const std::uint32_t* bases;    ///< added to a place of the run: where it is in the array
  const std::uint16_t* tile_at;  ///< whose run has the first place of each row

  __device__ std::uint32_t at(std::uint32_t place) const {
    const std::uint32_t first = tile_at[place / kWarp];
    std::uint32_t tile = first;
#pragma unroll
    for (std::uint32_t k = 0; k < kLooked; ++k) tile += ends[first + k] <= place ? 1 : 0;
    if (tile == first + kLooked) {
      while (ends[tile] <= place) ++tile;
    }
    return bases[tile] + place;
  }
  template <int kThreadsOf, int kItems>
  struct Places {
    int thread;
    int count;
    std::uint32_t of[kItems];

    __device__ Places(const InRuns& source, int of_thread, std::uint32_t of_all)
        : thread(of_thread), count(static_cast<int>(of_all)) {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (nobody_has(i)) break;
        of[i] = has(i) ? source.at(static_cast<std::uint32_t>(thread + i * kThreadsOf)) : 0;
      }
    }
    __device__ std::uint32_t operator[](int i) const {
      return of[i];
    }
    __device__ bool has(int i) const {
      return thread + i * kThreadsOf < count;
    }
    __device__ bool nobody_has(int i) const {
      return i * kThreadsOf >= count;
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
  std::uint16_t* copied;  ///< classes that are copied to their places, once the tiles are ordered

  __device__ explicit OneStage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kMostThreads * kItems)),
        exchange(keys),
        counts(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + Bucket::kElementBytes)),
        tree(reinterpret_cast<Word*>(reinterpret_cast<std::byte*>(shared) + kTreeAt)),
        copied(reinterpret_cast<std::uint16_t*>(shared)) {}
};

struct OneShared {
  BucketShared bucket;
  std::uint32_t begins[kOneClasses + 1];
  std::uint32_t ends[kOneTiles + InRuns::kLooked];
  std::uint32_t bases[kOneTiles];
  std::uint16_t tile_at[kOneMostItems * kMostThreads / kWarp];
  std::uint32_t pure[kOneClasses / kWarp];  ///< a bit a class: its keys are equal
  std::uint32_t copies;                     ///< classes that are copied to their places, not sorted
  std::uint32_t first, last;                ///< classes of a window
  std::uint32_t long_runs;                  ///< of a tile, that are copied by all: their classes in `ends`
};

static_assert(sizeof(OneShared) == kOneSharedBytes);

template <class Word, class V, int kItems>
inline constexpr std::uint32_t kOneSample = one_level_sample(kItems, sizeof(Word), kValueBytes<V>);

}  // namespace sortlab::msd_gpu
