// Kernels for a range: counting its slices, scattering to them, and sorting its buckets.
#pragma once

#include "algorithms/bbsort/slicing.cuh"
#include "algorithms/common/cuda/bitonic_sort.cuh"

namespace sortlab::bbsort {

template <class V>
inline constexpr bool kHasValue = !std::is_same_v<V, NoValue>;

/// Assigns each element its position in its slice, from the slice's counter.
template <class Word>
__global__ void __launch_bounds__(kThreads)
    count_slices(const Word* keys, std::uint32_t count, KeyOrder<Word> order, Slicing<Word> slicing,
                 std::uint32_t* counts, std::uint32_t* places) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const Word bits = keys[i];
  places[i] = atomicAdd(counts + slicing(bits, order.ordered(bits)), 1u);
}

/// Source and destination of a range's elements.
template <class Word, class V>
struct Move {
  const Word* keys;
  const V* values;
  Word* keys_out;
  V* values_out;
};

/// Scatters a range to its slices, which begin at `starts`. `places`: each element's position in its slice.
template <class Word, class V>
__global__ void __launch_bounds__(kThreads)
    scatter(Move<Word, V> move, std::uint32_t count, KeyOrder<Word> order, Slicing<Word> slicing,
            const std::uint32_t* starts, const std::uint32_t* places) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const Word bits = move.keys[i];
  const std::uint32_t to = starts[slicing(bits, order.ordered(bits))] + places[i];
  move.keys_out[to] = bits;
  if constexpr (kHasValue<V>) move.values_out[to] = move.values[i];
}

/// Sorts buckets, one block each.
template <class Word, class V>
__global__ void __launch_bounds__(kMaxBucket / 2)
    sort_buckets(const Word* keys, const V* values, const Bucket* buckets, KeyOrder<Word> order, std::uint32_t largest,
                 Word* keys_out, V* values_out) {
  extern __shared__ uint4 shared[];
  auto* const own_keys = reinterpret_cast<Word*>(shared);
  auto* const own_values = reinterpret_cast<V*>(own_keys + largest);
  const Bucket bucket = buckets[blockIdx.x];
  for (std::uint32_t i = threadIdx.x; i < bucket.count; i += blockDim.x) {
    own_keys[i] = order.ordered(keys[bucket.begin + i]);
    if constexpr (kHasValue<V>) own_values[i] = values[bucket.begin + i];
  }
  bitonic_sort(own_keys, own_values, bucket.count);
  for (std::uint32_t i = threadIdx.x; i < bucket.count; i += blockDim.x) {
    keys_out[bucket.begin + i] = order.restored(own_keys[i]);
    if constexpr (kHasValue<V>) values_out[bucket.begin + i] = own_values[i];
  }
}

/// Shared memory, in bytes, of a block that sorts a bucket.
template <class Word, class V>
constexpr std::size_t bucket_bytes(std::uint32_t bucket) {
  return bucket * (sizeof(Word) + (kHasValue<V> ? sizeof(V) : 0));
}

}  // namespace sortlab::bbsort
