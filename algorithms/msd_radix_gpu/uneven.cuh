// Sorts buckets whose keys lie unevenly in their range, in shared memory, by a block.
//
// A row is keys in a row. Those of up to kNetworkKeys go through a warp's sorting network. Longer ones are partitioned
// by the highest bits in which their keys differ, by a warp, by 5 bits, or, where they are too long for its registers,
// by the block, by 8. The parts are rows again; small neighbours make one.
#pragma once

#include "algorithms/msd_radix_gpu/bucket.cuh"

namespace sortlab::msd_gpu {

inline constexpr std::uint32_t kNetworkKeys = 2 * kWarp;

template <class Word, class V>
struct UnevenStage {
  static constexpr std::uint32_t kElements = bucket_elements(sizeof(Word), kValueBytes<V>);
  static constexpr int kLaneItems = 8;  ///< keys of a lane where a warp partitions
  static constexpr std::uint32_t kWarpElements = kWarp * kLaneItems;
  /// Rows in a list. Of three that are listed side by side, two have more than half as many keys as a network takes,
  /// but where one partition's parts end and another's begin.
  static constexpr std::uint32_t kListed = 8 * kElements / kNetworkKeys + kDigits;
  static constexpr std::uint32_t kLargeListed = kElements / (kWarpElements + 1) + 1;
  static constexpr std::uint32_t kElementBytes = (kElements * (sizeof(Word) + kValueBytes<V>)+15) / 16 * 16;
  static constexpr std::uint32_t kBytes = kElementBytes + (kThreads + 2 * kListed + kLargeListed) * 4;

  Word* keys;
  V* values;
  std::uint32_t* counters;  ///< of the block's digits, or kWarp of each warp
  std::uint32_t* lists;     ///< rows for warps: two lists, one of what follows from the other
  std::uint32_t* large;     ///< rows for the block, in a ring

  __device__ explicit UnevenStage(uint4* shared)
      : keys(reinterpret_cast<Word*>(shared)),
        values(reinterpret_cast<V*>(keys + kElements)),
        counters(reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(shared) + kElementBytes)),
        lists(counters + kThreads),
        large(lists + 2 * kListed) {}
  /// A row is where it begins, and from bit 16 on how many keys it has.
  __device__ std::uint32_t* list(std::uint32_t parity) const { return lists + parity * kListed; }
};

struct UnevenShared {
  std::uint32_t warps[kThreads / kWarp];
  unsigned long long differ[2];
  std::uint32_t listed[2];  ///< rows in a list
  std::uint32_t large;      ///< that were ever listed for the block
};

template <class Stage>
__device__ void list_row(const Stage& stage, UnevenShared& shared, std::uint32_t parity, std::uint32_t begin,
                         std::uint32_t count) {
  if (count < 2) return;
  if (count <= Stage::kWarpElements) {
    stage.list(parity)[atomicAdd(shared.listed + parity, 1U)] = begin | count << 16;
  } else {
    stage.large[atomicAdd(&shared.large, 1U) % Stage::kLargeListed] = begin | count << 16;
  }
}

/// Lists the parts that the lanes of a warp name, which lie side by side; small ones that begin within half of what a
/// network takes make one row.
template <class Stage>
__device__ void list_parts(const Stage& stage, UnevenShared& shared, std::uint32_t parity, std::uint32_t begin,
                           std::uint32_t count) {
  constexpr std::uint32_t kSmall = kNetworkKeys / 2;
  const std::uint32_t lane = threadIdx.x % kWarp;
  const std::uint32_t before = __shfl_up_sync(kAllLanes, begin, 1), count_before = __shfl_up_sync(kAllLanes, count, 1);
  const bool starts = lane == 0 || count > kSmall || count_before > kSmall || begin / kSmall != before / kSmall;
  const std::uint32_t all = __ballot_sync(kAllLanes, starts);
  const std::uint32_t end = __shfl_sync(kAllLanes, begin + count, kWarp - 1);
  const std::uint32_t later = lane + 1 == kWarp ? 0 : all >> (lane + 1) << (lane + 1);
  const std::uint32_t next = __shfl_sync(kAllLanes, begin, later == 0 ? 0 : __ffs(static_cast<int>(later)) - 1);
  if (starts) list_row(stage, shared, parity, begin, (later == 0 ? end : next) - begin);
}

/// A warp's bitonic network (Batcher 1968), in place, for rows of up to kWarp * kItems keys: element i of a row is in
/// lane i % kWarp. Keys that are equal go by the places they had, if they have values, so that none meets its like.
template <int kItems, class Word, class V>
__device__ void sort_by_network(const UnevenStage<Word, V>& stage, std::uint32_t begin, std::uint32_t count) {
  static_assert(kItems == 1 || kItems == 2);
  const std::uint32_t lane = threadIdx.x % kWarp;
  Word keys[kItems];
  std::uint32_t places[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    places[i] = lane + static_cast<std::uint32_t>(i) * kWarp;
    keys[i] = places[i] < count ? stage.keys[begin + places[i]] : static_cast<Word>(~Word{0});
  }
  const auto is_before = [](Word key, std::uint32_t place, Word other, std::uint32_t other_place) {
    if constexpr (kHasValue<V>) return key < other || (key == other && place < other_place);
    return key < other;
  };
#pragma unroll
  for (std::uint32_t size = 2; size <= kWarp * kItems; size *= 2) {
#pragma unroll
    for (std::uint32_t step = size / 2; step > 0; step /= 2) {
      if constexpr (kItems == 2) {
        if (step == kWarp) {  // between a lane's two, which come to lie in order
          if (is_before(keys[1], places[1], keys[0], places[0])) {
            const Word key = keys[0];
            keys[0] = keys[1];
            keys[1] = key;
            const std::uint32_t place = places[0];
            places[0] = places[1];
            places[1] = place;
          }
          continue;
        }
      }
#pragma unroll
      for (int i = 0; i < kItems; ++i) {
        const bool ascends = ((lane + static_cast<std::uint32_t>(i) * kWarp) & size) == 0 || size == kWarp * kItems;
        const bool is_lower = (lane & step) == 0;
        const Word other = key_across(keys[i], step);
        std::uint32_t other_place = 0;
        if constexpr (kHasValue<V>) other_place = __shfl_xor_sync(kAllLanes, places[i], step);
        if (is_before(other, other_place, keys[i], places[i]) == (ascends == is_lower)) {
          keys[i] = other;
          places[i] = other_place;
        }
      }
    }
  }
  V values[kHasValue<V> ? kItems : 1];
  if constexpr (kHasValue<V>) {
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      if (lane + static_cast<std::uint32_t>(i) * kWarp < count) values[i] = stage.values[begin + places[i]];
    }
    __syncwarp();
  }
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const std::uint32_t at = lane + static_cast<std::uint32_t>(i) * kWarp;
    if (at >= count) continue;
    stage.keys[begin + at] = keys[i];
    if constexpr (kHasValue<V>) stage.values[begin + at] = values[i];
  }
}

/// By a warp, in place: a part a lane.
template <class Word, class V>
__device__ void partition_by_warp(const UnevenStage<Word, V>& stage, UnevenShared& shared, std::uint32_t parity,
                                  std::uint32_t begin, std::uint32_t count) {
  constexpr int kItems = UnevenStage<Word, V>::kLaneItems;
  const std::uint32_t lane = threadIdx.x % kWarp;
  std::uint32_t* const counters = stage.counters + threadIdx.x / kWarp * kWarp;
  const auto place_of = [&](int i) { return lane + static_cast<std::uint32_t>(i) * kWarp; };
  const auto nobody = [&](int i) { return static_cast<std::uint32_t>(i) * kWarp >= count; };
  Word keys[kItems];
  V values[kHasValue<V> ? kItems : 1];
  const Word first = stage.keys[begin];
  Word differ = 0;
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (nobody(i)) break;
    if (place_of(i) >= count) continue;
    keys[i] = stage.keys[begin + place_of(i)];
    differ |= keys[i] ^ first;
    if constexpr (kHasValue<V>) values[i] = stage.values[begin + place_of(i)];
  }
  counters[lane] = 0;
  unsigned long long differs[2] = {};
#pragma unroll
  for (int half = 0; half < (sizeof(Word) > 8 ? 2 : 1); ++half) {
    const unsigned long long words = half_of(differ, half);
    differs[half] = or_of_warp(static_cast<std::uint32_t>(words));
    if constexpr (sizeof(Word) > 4) {
      differs[half] |= static_cast<unsigned long long>(or_of_warp(static_cast<std::uint32_t>(words >> 32))) << 32;
    }
  }
  const int bits = bit_length(differs);
  if (bits == 0) return;
  const auto digit_of_key = [&](Word key) { return upper_bits(key, bits) >> (32 - kLog2<kWarp>); };
  __syncwarp();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (nobody(i)) break;
    if (place_of(i) < count) atomicAdd(counters + digit_of_key(keys[i]), 1U);
  }
  __syncwarp();
  const std::uint32_t mine = counters[lane];
  std::uint32_t end = mine;
#pragma unroll
  for (std::uint32_t step = 1; step < kWarp; step *= 2) {
    const std::uint32_t other = __shfl_up_sync(kAllLanes, end, step);
    if (lane >= step) end += other;
  }
  const std::uint32_t first_place = begin + end - mine;
  counters[lane] = first_place;
  __syncwarp();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (nobody(i)) break;
    if (place_of(i) >= count) continue;
    const std::uint32_t place = atomicAdd(counters + digit_of_key(keys[i]), 1U);
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = values[i];
  }
  __syncwarp();
  if (bits > kLog2<kWarp>) list_parts(stage, shared, parity, first_place, mine);
}

/// By the block, from `keys` and `values` in memory to the stage from `begin` on. All threads see what the stage holds
/// after it.
template <class Word, class V>
__device__ void partition_by_block(const Word* keys, const V* values, const KeyOrder<Word>& order,
                                   const UnevenStage<Word, V>& stage, UnevenShared& shared, std::uint32_t begin,
                                   std::uint32_t count) {
  const std::uint32_t d = threadIdx.x;
  const Word first = order.ordered(keys[0]);
  Word differ = 0;
#pragma unroll 4
  for (std::uint32_t i = d; i < count; i += kThreads) differ |= order.ordered(keys[i]) ^ first;
  if (d < 2) shared.differ[d] = 0;
  if (d < kDigits) stage.counters[d] = 0;
  __syncthreads();
  or_into(shared.differ, differ);
  __syncthreads();
  const int bits = max(1, bit_length(shared.differ));
  const auto digit_of_key = [&](Word key) { return upper_bits(key, bits) >> (32 - kDigitBits); };
#pragma unroll 4
  for (std::uint32_t i = d; i < count; i += kThreads) {
    atomicAdd(stage.counters + digit_of_key(order.ordered(keys[i])), 1U);
  }
  __syncthreads();
  const std::uint32_t mine = d < kDigits ? stage.counters[d] : 0;
  std::uint32_t all;
  const std::uint32_t first_place = begin + exclusive_sum(mine, all, shared.warps);
  if (d < kDigits) stage.counters[d] = first_place;
  __syncthreads();
#pragma unroll 4
  for (std::uint32_t i = d; i < count; i += kThreads) {
    const Word key = order.ordered(keys[i]);
    const std::uint32_t place = atomicAdd(stage.counters + digit_of_key(key), 1U);
    stage.keys[place] = key;
    if constexpr (kHasValue<V>) stage.values[place] = values[i];
  }
  if (bits > kDigitBits && d < kDigits) list_parts(stage, shared, 0, first_place, mine);
  __syncthreads();
}

/// Until no row is listed for warps.
template <class Word, class V>
__device__ void sort_rows(const UnevenStage<Word, V>& stage, UnevenShared& shared) {
  for (std::uint32_t parity = 0;; parity = 1 - parity) {
    const std::uint32_t rows = shared.listed[parity];
    if (threadIdx.x == 0) shared.listed[1 - parity] = 0;
    __syncthreads();
    if (rows == 0) break;
    for (std::uint32_t r = threadIdx.x / kWarp; r < rows; r += kThreads / kWarp) {
      const std::uint32_t row = stage.list(parity)[r], begin = row & 0xFFFF, count = row >> 16;
      if (count <= kWarp) {
        sort_by_network<1>(stage, begin, count);
      } else if (count <= kNetworkKeys) {
        sort_by_network<2>(stage, begin, count);
      } else {
        partition_by_warp(stage, shared, 1 - parity, begin, count);
      }
      __syncwarp();
    }
    __syncthreads();
  }
  // The list that was looked at last is empty, and so is the other.
}

template <class Word, class V>
__device__ void sort_uneven_bucket(const Arrays<Word, V>& arrays, Bucket bucket, const UnevenStage<Word, V>& stage,
                                   UnevenShared& shared) {
  using Stage = UnevenStage<Word, V>;
  Word* const keys_out = arrays.keys[0] + bucket.begin;
  V* const values_out = arrays.values[0] + bucket.begin;
  if (threadIdx.x == 0) shared.listed[0] = shared.listed[1] = shared.large = 0;
  __syncthreads();
  partition_by_block(arrays.keys_on(bucket.side) + bucket.begin, arrays.values_on(bucket.side) + bucket.begin,
                     arrays.order, stage, shared, 0, bucket.count);
  for (std::uint32_t next = 0; next < shared.large; ++next) {
    const std::uint32_t row = stage.large[next % Stage::kLargeListed], begin = row & 0xFFFF, count = row >> 16;
    if (shared.listed[0] + 8 * count / kNetworkKeys + kWarp > Stage::kListed) sort_rows(stage, shared);
    // From memory, where the row waits in the place of the result.
    for (std::uint32_t i = threadIdx.x; i < count; i += kThreads) {
      keys_out[begin + i] = stage.keys[begin + i];
      if constexpr (kHasValue<V>) values_out[begin + i] = stage.values[begin + i];
    }
    __syncthreads();
    partition_by_block(keys_out + begin, values_out + begin, KeyOrder<Word>{}, stage, shared, begin, count);
  }
  sort_rows(stage, shared);
#pragma unroll 4
  for (std::uint32_t i = threadIdx.x; i < bucket.count; i += kThreads) {
    keys_out[i] = arrays.order.restored(stage.keys[i]);
    if constexpr (kHasValue<V>) values_out[i] = stage.values[i];
  }
}

template <class Word, class V>
__global__ void __launch_bounds__(kThreads, kBlocks) sort_uneven(Arrays<Word, V> arrays, Lists lists) {
  extern __shared__ uint4 shared_bytes[];
  __shared__ UnevenShared shared;
  const UnevenStage<Word, V> stage{shared_bytes};
  for (int size_class = kClasses - 1; size_class >= 0; --size_class) {
    const std::uint32_t buckets = lists.state->uneven[size_class];
    for (std::uint32_t b = blockIdx.x; b < buckets; b += gridDim.x) {
      sort_uneven_bucket(arrays, lists.buckets_of(size_class)[lists.uneven_of(size_class)[b]], stage, shared);
      __syncthreads();
    }
  }
}

/// So few keys that one block sorts them, unless they lie unevenly.
template <class Word, class V, int size_class>
__global__ void __launch_bounds__(ClassOf<Word, V, size_class>::kShape.threads, 1)
    sort_few(Arrays<Word, V> arrays, std::uint32_t n, State* state) {
  extern __shared__ uint4 shared_bytes[];
  __shared__ BucketShared shared;
  const Bucket bucket{.begin = 0, .count = n, .left = 8 * sizeof(Word), .side = 0, .merged = 1};
  const typename ClassOf<Word, V, size_class>::Stage stage{shared_bytes};
  const bool sorted = sort_bucket(arrays, bucket, stage, shared);
  if (threadIdx.x == 0) state->few_are_uneven = sorted ? 0 : 1;
}

template <class Word, class V>
__global__ void __launch_bounds__(kThreads, kBlocks)
    sort_uneven_few(Arrays<Word, V> arrays, std::uint32_t n, State* state) {
  extern __shared__ uint4 shared_bytes[];
  __shared__ UnevenShared shared;
  if (state->few_are_uneven == 0) return;
  sort_uneven_bucket(arrays, Bucket{.begin = 0, .count = n, .left = 8 * sizeof(Word), .side = 0, .merged = 1},
                     UnevenStage<Word, V>{shared_bytes}, shared);
}

}  // namespace sortlab::msd_gpu
