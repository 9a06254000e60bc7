// Phase 4: each block moves the elements of its tile to their buckets.
#pragma once

#include "algorithms/leischner_sample_sort/find.cuh"

namespace sortlab::sample_sort {

/// Scatters each element directly to its position (as in the paper): the next one of its bucket for the block, or for
/// its group of threads.
template <class Word, class V>
__global__ void __launch_bounds__(kMaxThreads) scatter_directly(Move<Word, V> move) {
  extern __shared__ uint4 shared[];
  const Split<Word>& split = move.split;
  const Tile tile{split, blockIdx.x};
  const std::uint32_t ways = tile.segment.ways();
  auto* const words = reinterpret_cast<Word*>(shared);
  const Tree<Word> tree{words, split, tile.segment};
  auto* const places = reinterpret_cast<std::uint64_t*>(words + 2 * ways);
  auto* const taken = reinterpret_cast<std::uint32_t*>(places + ways * split.kept);
  for (std::uint32_t i = threadIdx.x; i < ways * split.kept; i += blockDim.x) {
    const std::uint32_t bucket = i % ways, group = i / ways;
    places[i] =
        split.counters.load(tile.counter(bucket, split.kept) + group) - tile.segment.before + tile.segment.first;
    taken[i] = 0;
  }
  __syncthreads();

  const std::uint32_t mine = threadIdx.x / (blockDim.x / split.kept) * ways;
  const auto put = [&](std::uint32_t, Word key, V value, std::uint32_t bucket, bool has) {
    const std::uint32_t rank = count_one(taken + mine, bucket, has, split.vote);
    if (!has) return;
    const std::uint64_t to = places[mine + bucket] + rank;
    move.keys_out[to] = key;
    if constexpr (kHasValue<V>) move.values_out[to] = value;
  };
  for_each_found(split, move.values, tile, tree, split.ids != nullptr, put);
}

/// A tile's elements in shared memory.
template <class Word, class V>
struct Staged {
  Word* words;            ///< memory of the search tree
  std::uint64_t* places;  ///< per bucket, the difference of output and local position, modulo 2^64
  Word* keys;
  V* values;
  std::uint16_t* ids;
  std::uint32_t* next;  ///< per bucket, the local position of its next element

  __device__ Staged(uint4* shared, std::uint32_t tile, std::uint32_t ways) {
    const auto padded = [](std::size_t bytes) { return (bytes + 15) / 16 * 16; };
    auto* at = reinterpret_cast<std::byte*>(shared);
    const auto take = [&]<class T>(T*& array, std::size_t count, std::size_t width) {
      array = reinterpret_cast<T*>(at);
      at += padded(count * width);
    };
    take(words, 2 * ways, sizeof(Word));
    take(places, ways, sizeof(std::uint64_t));
    take(keys, tile, sizeof(Word));
    take(values, tile, kHasValue<V> ? sizeof(V) : 0);
    take(ids, tile, sizeof(std::uint16_t));
    take(next, ways, sizeof(std::uint32_t));
  }
};

/// Scatters bucket by bucket from shared memory, in which a whole tile is staged.
template <class Word, class V>
__global__ void __launch_bounds__(kMaxThreads, 2) scatter_reordered(Move<Word, V> move) {
  extern __shared__ uint4 shared[];
  const Split<Word>& split = move.split;
  const Tile tile{split, blockIdx.x};
  const std::uint32_t ways = tile.segment.ways();
  const Staged<Word, V> staged{shared, split.tile, ways};
  const Tree<Word> tree{staged.words, split, tile.segment};

  // The next counter belongs to the same bucket in the next tile, or to the next bucket: the difference is the count.
  std::uint32_t before = 0;
  for (std::uint32_t first = 0; first < ways; first += blockDim.x) {
    const std::uint32_t bucket = first + threadIdx.x;
    std::uint64_t place = 0;
    std::uint32_t count = 0;
    if (bucket < ways) {
      const std::uint64_t counter = tile.counter(bucket, 1);
      place = split.counters.load(counter);
      count = static_cast<std::uint32_t>(split.counters.load(counter + 1) - place);
    }
    std::uint32_t all;
    const std::uint32_t here = before + exclusive_sum(count, all);
    if (bucket < ways) {
      staged.places[bucket] = place - tile.segment.before + tile.segment.first - here;
      staged.next[bucket] = here;
    }
    before += all;
  }
  __syncthreads();

  const auto stage = [&](std::uint32_t, Word key, V value, std::uint32_t bucket, bool has) {
    const std::uint32_t here = count_one(staged.next, bucket, has, split.vote);
    if (!has) return;
    staged.keys[here] = key;
    staged.ids[here] = static_cast<std::uint16_t>(bucket);
    if constexpr (kHasValue<V>) staged.values[here] = value;
  };
  for_each_found(split, move.values, tile, tree, split.ids != nullptr, stage);
  __syncthreads();

#pragma unroll 8
  for (std::uint32_t here = threadIdx.x; here < tile.count; here += blockDim.x) {
    const std::uint64_t to = staged.places[staged.ids[here]] + here;
    move.keys_out[to] = staged.keys[here];
    if constexpr (kHasValue<V>) move.values_out[to] = staged.values[here];
  }
}

}  // namespace sortlab::sample_sort
