// Sorts the buckets of a size class in shared memory, one block each, by CUB's block-wide LSD radix sort on the
// remaining bits (section 4.1).
#pragma once

#include <cub/block/block_radix_sort.cuh>

#include "algorithms/stehle_hybrid_radix/local_pass.cuh"

namespace sortlab::hybrid_radix {

template <class Word, class V, int kThreads, int kItems>
__global__ void __launch_bounds__(kThreads) sort_by_block_radix(LocalPass<Word, V> pass) {
  using Value = std::conditional_t<kHasValue<V>, V, cub::NullType>;
  using Sort = cub::BlockRadixSort<Word, kThreads, kItems, Value, kBlockRadixBits>;
  __shared__ typename Sort::TempStorage storage;
  pass.for_each_bucket([&](const Bucket& bucket, std::uint32_t) {
    const int bits = pass.bits_left(bucket);
    // Padding sorts after all keys, or ties with keys equal in the remaining bits, which is harmless.
    constexpr int width = 8 * sizeof(Word);
    const Word last =
        pass.in.ordered(pass.keys[bucket.keys]) | static_cast<Word>(bits >= width ? ~Word{0} : (Word{1} << bits) - 1);
    Word keys[kItems];
    [[maybe_unused]] Value values[kItems];
    // With values, padding must come after the last key, and so be last in the block.
    const auto place = [&](int i) { return kHasValue<V> ? threadIdx.x * kItems + i : threadIdx.x + i * kThreads; };
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const bool is_key = place(i) < bucket.count;
      keys[i] = is_key ? pass.in.ordered(pass.keys[bucket.keys + place(i)]) : last;
      if constexpr (kHasValue<V>) {
        if (is_key) values[i] = pass.values[bucket.keys + place(i)];
      }
    }
    if constexpr (kHasValue<V>) {
      Sort{storage}.SortBlockedToStriped(keys, values, 0, bits);
    } else {
      Sort{storage}.SortBlockedToStriped(keys, 0, bits);
    }
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const std::uint32_t at = threadIdx.x + i * kThreads;
      if (at >= bucket.count) continue;
      pass.keys_out[bucket.keys + at] = pass.out.restored(keys[i]);
      if constexpr (kHasValue<V>) pass.values_out[bucket.keys + at] = values[i];
    }
    __syncthreads();
  });
}

}  // namespace sortlab::hybrid_radix
