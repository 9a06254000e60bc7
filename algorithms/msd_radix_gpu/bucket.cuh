// Sorts buckets in shared memory, one block per bucket, into the result array: by bins of equal width (even_bucket.cuh)
// or, if a bin would receive too many keys, by splitters from a sample (sampled_bucket.cuh).
#pragma once

#include "algorithms/msd_radix_gpu/even_bucket.cuh"
#include "algorithms/msd_radix_gpu/sampled_bucket.cuh"

namespace sortlab::msd_gpu {

template <class Word, class V, int kBlockThreads, int kItems, class Source>
__device__ void sort_bucket(const Arrays<Word, V>& arrays, const Bucket& bucket, const Source& source,
                            const BucketStage<Word, V, kBlockThreads, kItems>& stage, BucketShared& shared) {
  if (sort_even(arrays, bucket, source, stage, shared)) return;
  __syncthreads();
  sort_sampled(arrays, bucket, source, stage, shared);
}

template <class Word, class V, int size_class>
struct ClassOf {
  static constexpr Shape kShape = class_shape(size_class, sizeof(Word), kValueBytes<V>);
  using Stage = BucketStage<Word, V, kShape.threads, kShape.items>;
};

/// Blocks per multiprocessor for a size class: as many as registers allow without spills.
template <class V>
constexpr int even_blocks(Shape shape) {
  if (shape.threads == kMaxThreads) return 1;
  return std::min((kHasValue<V> ? 3 : 2) * kThreads, kResidentThreads) / shape.threads;
}

/// Sorts the buckets of a size class. Skewed buckets are left to sort_uneven_buckets, except in the largest class.
template <class Word, class V, int size_class>
__global__ void __launch_bounds__(ClassOf<Word, V, size_class>::kShape.threads,
                                  even_blocks<V>(ClassOf<Word, V, size_class>::kShape))
    sort_buckets(Arrays<Word, V> arrays, Lists lists) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared_bytes[];
  __shared__ BucketShared shared;
  const typename ClassOf<Word, V, size_class>::Stage stage{shared_bytes};
  const std::uint32_t buckets = lists.state->buckets[size_class];
  for (std::uint32_t b = blockIdx.x; b < buckets; b += gridDim.x) {
    const Bucket bucket = lists.class_buckets(size_class)[b];
    if constexpr (size_class == kClasses - 1) {
      sort_bucket(arrays, bucket, InRow{bucket.begin}, stage, shared);
    } else if (!sort_even(arrays, bucket, InRow{bucket.begin}, stage, shared) && threadIdx.x == 0) {
      lists.uneven[atomicAdd(&lists.state->uneven, 1U)] = bucket;
    }
    __syncthreads();
  }
}

/// Sorts the skewed buckets that sort_buckets left.
template <class Word, class V>
__global__ void __launch_bounds__(ClassOf<Word, V, kClasses - 2>::kShape.threads,
                                  kMaxThreads / ClassOf<Word, V, kClasses - 2>::kShape.threads)
    sort_uneven_buckets(Arrays<Word, V> arrays, Lists lists) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared_bytes[];
  __shared__ BucketShared shared;
  const typename ClassOf<Word, V, kClasses - 2>::Stage stage{shared_bytes};
  const std::uint32_t buckets = lists.state->uneven;
  for (std::uint32_t b = blockIdx.x; b < buckets; b += gridDim.x) {
    const Bucket bucket = lists.uneven[b];
    sort_sampled(arrays, bucket, InRow{bucket.begin}, stage, shared);
    __syncthreads();
  }
}

/// Sorts the whole input with one block.
template <class Word, class V, int size_class>
__global__ void __launch_bounds__(ClassOf<Word, V, size_class>::kShape.threads, 1)
    sort_few(Arrays<Word, V> arrays, std::uint32_t n) {
  wait_for_previous_kernel();
  extern __shared__ uint4 shared_bytes[];
  __shared__ BucketShared shared;
  const typename ClassOf<Word, V, size_class>::Stage stage{shared_bytes};
  sort_bucket(arrays, Bucket{.begin = 0, .count = n, .bits_left = 8 * sizeof(Word), .buffer = 0, .merged = 1}, InRow{0},
              stage, shared);
}

}  // namespace sortlab::msd_gpu
