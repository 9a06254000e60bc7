// Division of a one-level sort (one_level.cuh) into tiles, windows and classes, and the memory layout of its blocks.
#pragma once

#include "algorithms/msd_radix_gpu/bucket.cuh"

namespace sortlab::msd_gpu {

inline constexpr std::uint32_t kOneLevelMaxTiles = kMaxThreads;  ///< maximum number of tiles

/// Part of the input: what a round sorts, or one of its tiles.
struct Round {
  std::uint32_t begin;
  std::uint32_t count;
};

/// State that persists between sorts; zero before the first.
struct OneState {
  std::uint32_t parity;  ///< half of OneLevel::counts that the next round adds to (0 or 1); that half is zero
  std::uint32_t rounds;  ///< number of rounds listed so far, over all sorts; round i is at i % ring
};

/// Division of a sort of `n` keys.
struct OneLevel {
  OneState* state;
  std::uint32_t* counts;  ///< two halves, used in turn: keys of each class, then positions taken of each copied class
  std::uint16_t* runs;    ///< per tile: begin of each class, and the end of the last
  Round* rounds;          ///< ring buffer
  std::uint32_t ring;
  std::uint32_t n;
  std::uint32_t tiles;
  std::uint32_t windows;
  int class_bits;
  std::uint32_t even_keys;  ///< largest class of the sample for which keys count as evenly distributed

  SORTLAB_HOST_DEVICE std::uint32_t classes() const { return 1U << class_bits; }
  SORTLAB_HOST_DEVICE std::uint32_t stride() const { return classes() + 2; }  ///< entries per tile in `runs`
  SORTLAB_HOST_DEVICE std::uint32_t* round_counts(std::uint32_t parity) const {
    return counts + parity * 2 * classes();
  }
};

/// Plans the sort except for `state` and the arrays. `blocks`: blocks resident on the device, each with room for
/// `capacity` keys.
inline OneLevel make_one_level_plan(std::uint64_t n, std::uint32_t blocks, std::uint32_t capacity,
                                    std::uint32_t sample) {
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

/// Source of a bucket that consists of one run per tile.
struct InRuns {
  static constexpr unsigned long long begin = 0;
  static constexpr std::uint32_t kLooked = 3;  ///< runs that a warp inspects at once for a row of 32 positions
  const std::uint32_t* ends;                   ///< end of each tile's run in the bucket; kLooked sentinels follow
  const std::uint32_t* bases;                  ///< offset from a position in the bucket to the array
  const std::uint16_t* tile_at;                ///< tile whose run holds the first position of each row

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
  template <int kBlockThreads, int kItems>
  struct Places {
    int thread;
    int count;
    std::uint32_t sources[kItems];

    __device__ Places(const InRuns& source, int block_thread, std::uint32_t element_count)
        : thread(block_thread), count(static_cast<int>(element_count)) {
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        if (is_past_end(i)) break;
        sources[i] = has(i) ? source.at(static_cast<std::uint32_t>(thread + i * kBlockThreads)) : 0;
      }
    }
    __device__ std::uint32_t operator[](int i) const {
      return sources[i];
    }
    __device__ bool has(int i) const {
      return thread + i * kBlockThreads < count;
    }
    __device__ bool is_past_end(int i) const {
      return i * kBlockThreads >= count;
    }
  };
};

/// Dynamic shared memory of a block.
template <class Word, class V, int kPerThread>
struct OneStage {
  static constexpr int kItems = kPerThread;
  using Bucket = BucketStage<Word, V, kMaxThreads, kItems>;
  static constexpr std::uint32_t kTreeAt = Bucket::kElementBytes + kOneLevelMaxClasses * 4;
  static constexpr std::uint32_t kBytes =
      std::max<std::uint32_t>({Bucket::kBytes, kTreeAt + kOneLevelMaxClasses * sizeof(Word),
                               2 * kOneLevelMaxSample* static_cast<std::uint32_t>(sizeof(Word)) + 16});

  Word* keys;  ///< keys of a tile, ordered by class
  V* values;
  Word* exchange;         ///< sorting buffer of the sample
  std::uint32_t* counts;  ///< per class of a tile: number of keys, then its begin
  Word* tree;
  std::uint16_t* copied;  ///< classes to copy once the tiles are ordered

  __device__ explicit OneStage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kMaxThreads * kItems)),
        exchange(keys),
        counts(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + Bucket::kElementBytes)),
        tree(reinterpret_cast<Word*>(reinterpret_cast<std::byte*>(shared) + kTreeAt)),
        copied(reinterpret_cast<std::uint16_t*>(shared)) {}
};

struct OneShared {
  BucketShared bucket;
  std::uint32_t begins[kOneLevelMaxClasses + 1];
  std::uint32_t ends[kOneLevelMaxTiles + InRuns::kLooked];
  std::uint32_t bases[kOneLevelMaxTiles];
  std::uint16_t tile_at[kOneLevelMaxItems * kMaxThreads / kWarp];
  std::uint32_t pure[kOneLevelMaxClasses / kWarp];  ///< one bit per class: set if its keys are equal
  std::uint32_t copies;                             ///< number of classes to copy instead of sorting
  std::uint32_t first, last;                        ///< first and last class of a window
  /// Number of long runs of a tile, which the whole block copies; their classes are in `ends`
  std::uint32_t long_runs;
};

static_assert(sizeof(OneShared) == kOneLevelStaticBytes);

template <class Word, class V, int kItems>
inline constexpr std::uint32_t kOneSample = one_level_sample(kItems, sizeof(Word), kValueBytes<V>);

}  // namespace sortlab::msd_gpu
