// Phase 2: each block walks the elements of its tile down the search tree and counts its buckets in shared memory.
#pragma once

#include "algorithms/leischner_sample_sort/level.cuh"

namespace sortlab::sample_sort {

/// A segment's splitters in shared memory, in order and as the implicit search tree of Algorithm 2.
template <class Word>
class Tree {
 public:
  /// Fills the tree, 2 * ways words at `memory`; a barrier is needed before its use.
  __device__ Tree(Word* memory, const Split<Word>& split, const Segment& segment)
      : tree_(memory),
        sorted_(memory + segment.ways()),
        log_ways_(segment.log_ways),
        duplicates_(segment.duplicates != 0) {
    const Word* const splitters = split.splitters + segment.splitters;
    for (std::uint32_t i = threadIdx.x; i + 1 < segment.ways(); i += blockDim.x) {
      const Word splitter = splitters[i];
      sorted_[i] = splitter;
      tree_[node(i + 1)] = splitter;
    }
  }

  /// Finds the buckets of kAtOnce keys in sort order. The j-th splitter, from 0, is the largest key of bucket j. If
  /// that splitter occurs twice, keys equal to it go to the next bucket, which has no others.
  __device__ void find(const Word (&key)[kAtOnce<Word>], std::uint32_t (&bucket)[kAtOnce<Word>]) const {
#pragma unroll
    for (std::uint32_t i = 0; i < kAtOnce<Word>; ++i) bucket[i] = 1;
    for (std::uint32_t level = 0; level < log_ways_; ++level) {
#pragma unroll
      for (std::uint32_t i = 0; i < kAtOnce<Word>; ++i) {
        bucket[i] = 2 * bucket[i] + (tree_[bucket[i]] < key[i] ? 1 : 0);  // ties go left
      }
    }
    const std::uint32_t ways = 1u << log_ways_;
#pragma unroll
    for (std::uint32_t i = 0; i < kAtOnce<Word>; ++i) bucket[i] -= ways;
    if (!duplicates_) return;
#pragma unroll
    for (std::uint32_t i = 0; i < kAtOnce<Word>; ++i) {
      const std::uint32_t j = bucket[i];
      if (j + 2 < ways && sorted_[j] == key[i] && sorted_[j + 1] == key[i]) bucket[i] = j + 1;
    }
  }

 private:
  /// Tree position of the splitter of a given rank, from 1: the rank's lowest set bit gives its height above the
  /// leaves.
  __device__ std::uint32_t node(std::uint32_t rank) const {
    const auto height = static_cast<std::uint32_t>(__ffs(static_cast<int>(rank))) - 1;
    return (1u << (log_ways_ - 1 - height)) + (rank >> (height + 1));
  }

  Word* tree_;
  Word* sorted_;
  std::uint32_t log_ways_;
  bool duplicates_;
};

/// Adds one element per thread to counters in shared memory, and returns its index within its bucket. Called by all
/// threads of a warp, those without an element with has = false.
__device__ inline std::uint32_t count_one(std::uint32_t* counters, std::uint32_t bucket, bool has, bool vote) {
  if (vote) {
    int same = 0;
    __match_all_sync(~0u, has ? bucket : ~0u, &same);
    if (same != 0) {
      const unsigned lane = threadIdx.x % kWarp;
      std::uint32_t first = 0;
      if (lane == 0 && has) first = atomicAdd(counters + bucket, kWarp);
      return __shfl_sync(~0u, first, 0) + lane;
    }
  }
  return has ? atomicAdd(counters + bucket, 1u) : 0;
}

/// Calls `f(at, key, value, bucket, has)` for each element of a thread with its position in the tile, by whole warps.
/// Bucket indices are read from memory if they are `known`. A thread has several elements in flight.
template <class Word, class V, class F>
__device__ void for_each_found(const Split<Word>& split, const V* values, const Tile& tile, const Tree<Word>& tree,
                               bool known, const F& f) {
  constexpr std::uint32_t kEach = kAtOnce<Word>;
  for (std::uint32_t round = 0; round < tile.count; round += kEach * blockDim.x) {
    const auto place = [&](std::uint32_t i) { return round + i * blockDim.x + threadIdx.x; };
    Word key[kEach];
    V value[kEach];
    std::uint32_t bucket[kEach];
#pragma unroll
    for (std::uint32_t i = 0; i < kEach; ++i) {
      key[i] = place(i) < tile.count ? split.keys[tile.first + place(i)] : Word{0};
      if (known) bucket[i] = place(i) < tile.count ? split.ids[tile.first + place(i)] : 0;
      if constexpr (kHasValue<V>) {
        if (place(i) < tile.count) value[i] = values[tile.first + place(i)];
      }
    }
    if (!known) {
      Word ordered[kEach];
#pragma unroll
      for (std::uint32_t i = 0; i < kEach; ++i) ordered[i] = split.order.ordered(key[i]);
      tree.find(ordered, bucket);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kEach; ++i) f(place(i), key[i], value[i], bucket[i], place(i) < tile.count);
  }
}

template <class Word>
__global__ void __launch_bounds__(kMaxThreads) find_buckets(Split<Word> split) {
  extern __shared__ uint4 shared[];
  const Tile tile{split, blockIdx.x};
  const std::uint32_t ways = tile.segment.ways();
  auto* const words = reinterpret_cast<Word*>(shared);
  const Tree<Word> tree{words, split, tile.segment};
  auto* const counters = reinterpret_cast<std::uint32_t*>(words + 2 * ways);  // group by group
  for (std::uint32_t i = threadIdx.x; i < ways * split.groups; i += blockDim.x) counters[i] = 0;
  __syncthreads();

  std::uint32_t* const mine = counters + threadIdx.x / (blockDim.x / split.groups) * ways;
  const auto count = [&](std::uint32_t at, Word, NoValue, std::uint32_t bucket, bool has) {
    if (has && split.ids != nullptr) split.ids[tile.first + at] = static_cast<std::uint16_t>(bucket);
    count_one(mine, bucket, has, split.vote);
  };
  for_each_found<Word, NoValue>(split, nullptr, tile, tree, false, count);
  __syncthreads();

  for (std::uint32_t bucket = threadIdx.x; bucket < ways; bucket += blockDim.x) {
    std::uint32_t sum = 0;
    for (std::uint32_t group = 0; group < split.groups; ++group) {
      const std::uint32_t of_group = counters[group * ways + bucket];
      if (split.kept > 1) split.counters.store(tile.counter(bucket, split.kept) + group, of_group);
      sum += of_group;
    }
    if (split.kept == 1) split.counters.store(tile.counter(bucket, 1), sum);
  }
}

}  // namespace sortlab::sample_sort
