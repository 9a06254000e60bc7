// Sorts buckets of at most M elements, one block each, into the first array.
#pragma once

#include "algorithms/common/cuda/block_merge.cuh"
#include "algorithms/leischner_sample_sort/lists.cuh"
#include "algorithms/leischner_sample_sort/network.cuh"

namespace sortlab::sample_sort {

/// The two arrays of the sort.
template <class Word, class V>
struct Arrays {
  Word* keys[2];
  V* values[2];
  KeyOrder<Word> order;
};

/// Writes elements in the order given in shared memory: keys in sort order, and the positions of their values in the
/// source. All values are read before the first is written, since source and result may be the same.
template <std::uint32_t kItems, class Word, class V>
__device__ void store_sorted(const Arrays<Word, V>& arrays, std::uint64_t first, std::uint32_t count,
                             std::uint32_t source, const Word* keys, const std::uint16_t* from) {
  V values[kHasValue<V> ? kItems : 1];
  if constexpr (kHasValue<V>) {
#pragma unroll
    for (std::uint32_t i = 0; i < kItems; ++i) {
      const std::uint32_t at = i * blockDim.x + threadIdx.x;
      if (at < count) values[i] = arrays.values[source][first + from[at]];
    }
    __syncthreads();
  }
#pragma unroll
  for (std::uint32_t i = 0; i < kItems; ++i) {
    const std::uint32_t at = i * blockDim.x + threadIdx.x;
    if (at >= count) continue;
    arrays.keys[0][first + at] = arrays.order.restored(keys[at]);
    if constexpr (kHasValue<V>) arrays.values[0][first + at] = values[i];
  }
}

/// Preset `tuned`: merge sort, entirely in shared memory.
template <class Word, class V>
__global__ void __launch_bounds__(kMergeThreads.back())
    merge_sort_buckets(Arrays<Word, V> arrays, const Bucket* buckets) {
  constexpr int kItems = static_cast<int>(merge_items(sizeof(Word)));
  extern __shared__ uint4 shared[];
  auto* const keys = reinterpret_cast<Word*>(shared);
  auto* const from = reinterpret_cast<std::uint16_t*>(keys + blockDim.x * kItems + kOverread);
  const Bucket bucket = buckets[blockIdx.x];
  const Word* const source = arrays.keys[bucket.second] + bucket.first;
  block_merge_sort<kItems, kHasValue<V>>(keys, from, bucket.count, [&](std::uint32_t at) {
    return at < bucket.count ? arrays.order.ordered(source[at]) : ~Word{0};
  });
  store_sorted<kItems>(arrays, bucket.first, bucket.count, bucket.second, keys, from);
}

/// Elements of a bucket between two pivots.
struct Part {
  std::uint32_t first;  ///< first element, as an index in the bucket
  std::uint32_t count;
  std::uint32_t second;
};

/// Numbers of elements of a part less than a pivot and equal to it, packed so that sums do not overlap.
using Parted = unsigned long long;
constexpr Parted kLess = 1, kEqual = Parted{1} << 32;

template <class Word>
__device__ Word median(Word a, Word b, Word c) {
  const Word low = a < b ? a : b, high = a < b ? b : a;
  return c < low ? low : high < c ? high : c;
}

/// Partitions a part around the median of its first, middle and last element into the other array; equal elements go to
/// the result. Each thread counts its elements, then reads them again and writes them to its own windows. Returns how
/// many are less and equal. After Cederman and Tsigas's second phase.
template <class Word, class V>
__device__ Parted partition(const Arrays<Word, V>& arrays, std::uint64_t bucket, const Part& part) {
  const std::uint64_t first = bucket + part.first;
  const Word* const keys = arrays.keys[part.second] + first;
  const auto ordered = [&](std::uint32_t i) { return arrays.order.ordered(keys[i]); };
  const Word pivot = median(ordered(0), ordered(part.count / 2), ordered(part.count - 1));

  Parted mine = 0;
  for (std::uint32_t i = threadIdx.x; i < part.count; i += blockDim.x) {
    const Word key = ordered(i);
    mine += key < pivot ? kLess : key == pivot ? kEqual : 0;
  }
  Parted all;
  const Parted before = exclusive_sum(mine, all);
  const auto of = [](Parted parted) { return static_cast<std::uint32_t>(parted); };  // number of lesser elements
  const std::uint32_t less = of(all), equal = of(all >> 32);
  const std::uint32_t elements_before =
      part.count / blockDim.x * threadIdx.x + min(threadIdx.x, part.count % blockDim.x);
  std::uint32_t next_less = of(before), next_equal = less + of(before >> 32),
                next_greater = less + equal + elements_before - of(before) - of(before >> 32);
  const std::uint32_t other = 1 - part.second;
  for (std::uint32_t i = threadIdx.x; i < part.count; i += blockDim.x) {
    const Word raw = keys[i], key = arrays.order.ordered(raw);
    const std::uint32_t to = key < pivot ? next_less++ : key == pivot ? next_equal++ : next_greater++;
    arrays.keys[other][first + to] = raw;
    if constexpr (kHasValue<V>) arrays.values[other][first + to] = arrays.values[part.second][first + i];
  }
  __syncthreads();
  if (other == 0) return all;
  for (std::uint32_t i = less + threadIdx.x; i < less + equal; i += blockDim.x) {
    arrays.keys[0][first + i] = arrays.keys[1][first + i];
    if constexpr (kHasValue<V>) arrays.values[0][first + i] = arrays.values[1][first + i];
  }
  __syncthreads();
  return all;
}

/// Preset `paper`: quicksort with an explicit stack, down to parts that a network sorts in shared memory.
template <class Word, class V>
__global__ void __launch_bounds__(kNetworkThreads)
    quicksort_buckets(Arrays<Word, V> arrays, const Bucket* buckets, Network network) {
  __shared__ Word keys[kNetworkElements];
  __shared__ std::uint16_t from[kHasValue<V> ? kNetworkElements : 1];
  __shared__ Part stack[32];  // the smaller part, at most half of the elements, is sorted first
  __shared__ std::uint32_t depth;
  const Bucket bucket = buckets[blockIdx.x];
  if (threadIdx.x == 0) {
    stack[0] = {.first = 0, .count = bucket.count, .second = bucket.second};
    depth = 1;
  }
  __syncthreads();
  while (depth > 0) {
    const Part part = stack[depth - 1];
    __syncthreads();
    if (threadIdx.x == 0) --depth;
    const std::uint64_t first = bucket.first + part.first;
    if (part.count <= kNetworkElements) {
      for (std::uint32_t i = threadIdx.x; i < part.count; i += blockDim.x) {
        keys[i] = arrays.order.ordered(arrays.keys[part.second][first + i]);
        if constexpr (kHasValue<V>) from[i] = static_cast<std::uint16_t>(i);
      }
      sort_by_network(network, keys, kHasValue<V> ? from : nullptr, part.count);
      store_sorted<kNetworkElements / kNetworkThreads>(arrays, first, part.count, part.second, keys, from);
    } else {
      const Parted parted = partition(arrays, bucket.first, part);
      if (threadIdx.x == 0) {
        const auto less = static_cast<std::uint32_t>(parted), equal = static_cast<std::uint32_t>(parted >> 32);
        const Part lower{.first = part.first, .count = less, .second = 1 - part.second};
        const Part upper{
            .first = part.first + less + equal, .count = part.count - less - equal, .second = 1 - part.second};
        const bool lower_first = lower.count <= upper.count;
        for (const Part& next : {lower_first ? upper : lower, lower_first ? lower : upper}) {
          if (next.count > 0) stack[depth++] = next;
        }
      }
    }
    __syncthreads();
  }
}

/// Copies ranges of equal keys from the second array to the first; all blocks of a column of the grid share a range.
template <class Word, class V>
__global__ void __launch_bounds__(256) copy_ranges(Arrays<Word, V> arrays, const Range* ranges) {
  const Range range = ranges[blockIdx.x];
  const std::uint64_t stride = std::uint64_t{gridDim.y} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.y} * blockDim.x + threadIdx.x; i < range.count; i += stride) {
    arrays.keys[0][range.first + i] = arrays.keys[1][range.first + i];
    if constexpr (kHasValue<V>) arrays.values[0][range.first + i] = arrays.values[1][range.first + i];
  }
}

}  // namespace sortlab::sample_sort
