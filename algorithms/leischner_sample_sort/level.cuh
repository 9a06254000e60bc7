// Data of a level, shared by its kernels. A segment is a bucket of more than M elements; a level splits all segments.
// Keys stay in memory as given, and are compared as KeyOrder::ordered.
#pragma once

#include "algorithms/common/cuda/key_order.cuh"
#include "algorithms/leischner_sample_sort/plan.hpp"
#include "core/cuda/check.hpp"

namespace sortlab::sample_sort {

template <class V>
inline constexpr bool kHasValue = !std::is_same_v<V, NoValue>;

/// Number of elements that a thread walks down the tree at a time.
template <class Word>
inline constexpr std::uint32_t kAtOnce = at_once(sizeof(Word));

/// A segment, and the begin of its parts of the level's arrays.
struct Segment {
  std::uint64_t first;  ///< index of its first element
  std::uint64_t count;
  std::uint64_t before;     ///< number of elements of the segments listed before it
  std::uint64_t counters;   ///< index of its first counter: bucket 0, tile 0
  std::uint64_t splitters;  ///< index of its first splitter; it has ways - 1
  std::uint32_t tile;       ///< index of its first tile
  std::uint32_t tiles;
  std::uint32_t log_ways;
  std::uint32_t duplicates;  ///< 1 if some of its splitters are equal

  __host__ __device__ std::uint32_t ways() const { return 1u << log_ways; }
};

/// Counters of all tiles, wide enough for offsets: ordered by segment, then bucket, then tile (the paper's column-major
/// order), then array.
struct Counters {
  void* data;
  bool wide;  ///< true for 64-bit counters

  __device__ void store(std::uint64_t at, std::uint32_t count) const {
    if (wide) {
      static_cast<std::uint64_t*>(data)[at] = count;
    } else {
      static_cast<std::uint32_t*>(data)[at] = count;
    }
  }
  __device__ std::uint64_t load(std::uint64_t at) const {
    return wide ? static_cast<const std::uint64_t*>(data)[at] : static_cast<const std::uint32_t*>(data)[at];
  }
};

/// Arguments of a level's kernels. `Word`: unsigned type as wide as the key.
template <class Word>
struct Split {
  const Word* keys;
  Segment* segments;
  const std::uint32_t* segment_of_tile;  ///< null if there is only one segment
  Word* splitters;
  Counters counters;   ///< counts; after the scan, offsets
  std::uint16_t* ids;  ///< null if recomputed
  KeyOrder<Word> order;
  std::uint32_t tile;    ///< number of elements
  std::uint32_t groups;  ///< groups of threads with separate counters
  std::uint32_t kept;    ///< arrays of counters kept in memory: one per group, or 1 for their sum
  std::uint32_t oversampling;
  Network network;
  bool vote;
  std::uint64_t seed;
};

/// Arguments of the scatter.
template <class Word, class V>
struct Move {
  Split<Word> split;
  const V* values;
  Word* keys_out;
  V* values_out;
};

/// A block's tile.
struct Tile {
  Segment segment;
  std::uint64_t first;   ///< index of its first element
  std::uint32_t number;  ///< index in its segment
  std::uint32_t count;   ///< number of elements

  template <class Word>
  __device__ Tile(const Split<Word>& split, std::uint32_t tile)
      : segment(split.segments[split.segment_of_tile != nullptr ? split.segment_of_tile[tile] : 0]),
        number(tile - segment.tile) {
    const std::uint64_t begin = std::uint64_t{number} * split.tile;
    first = segment.first + begin;
    count = static_cast<std::uint32_t>(min(segment.count - begin, std::uint64_t{split.tile}));
  }
  /// Index of a bucket's counter in this tile, the first of `kept`.
  __device__ std::uint64_t counter(std::uint32_t bucket, std::uint32_t kept) const {
    return segment.counters + (std::uint64_t{bucket} * segment.tiles + number) * kept;
  }
};

/// Exclusive prefix sum of one number per thread over a block of at most 1024 threads; `total` receives the sum.
template <class T>
__device__ T exclusive_sum(T mine, T& total) {
  __shared__ T warps[32];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  T sum = mine;
#pragma unroll
  for (unsigned step = 1; step < kWarp; step *= 2) {
    const T other = __shfl_up_sync(~0u, sum, step);
    if (lane >= step) sum += other;
  }
  __syncthreads();  // wait for the readers of an earlier call
  if (lane == kWarp - 1) warps[warp] = sum;
  __syncthreads();
  T before = 0, all = 0;
  for (unsigned w = 0; w < blockDim.x / kWarp; ++w) {
    before += w < warp ? warps[w] : 0;
    all += warps[w];
  }
  total = all;
  return before + sum - mine;
}

}  // namespace sortlab::sample_sort
