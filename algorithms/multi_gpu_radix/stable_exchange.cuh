// The same partition, stable: a read counts the buckets of each tile, and a scan gives each tile its places. It has no
// digits, only the cuts, so a warp ranks its keys by comparing buckets.
#pragma once

#include "algorithms/multi_gpu_radix/exchange.cuh"

namespace sortlab::multi_gpu {

inline constexpr std::uint32_t kStableBuckets = 1 + 2 * kMaxCuts;

/// Writes the number of keys of each bucket and tile to `places[bucket * tiles + tile]`.
template <class Word, class V>
__global__ void __launch_bounds__(kThreads)
    count_tile_buckets(const Word* keys, std::uint64_t n, BucketOf<Word> bucket_of, unsigned long long* places) {
  __shared__ std::uint32_t counters[kStableBuckets];
  constexpr std::uint64_t kElements = ExchangeStage<Word, V>::kElements;
  const std::uint64_t tiles = (n + kElements - 1) / kElements;
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    if (threadIdx.x < bucket_of.count()) counters[threadIdx.x] = 0;
    __syncthreads();
    const std::uint64_t end = min(n, (tile + 1) * kElements);
    for (std::uint64_t i = tile * kElements + threadIdx.x; i < end; i += kThreads) {
      atomicAdd(counters + bucket_of(keys[i]), 1U);
    }
    __syncthreads();
    if (threadIdx.x < bucket_of.count()) places[threadIdx.x * tiles + tile] = counters[threadIdx.x];
  }
}

/// Replaces the counts of a bucket by the positions of its runs. A block takes one bucket.
__global__ static void __launch_bounds__(kCountThreads)
    scan_tile_buckets(unsigned long long* places, std::uint64_t tiles, const Sends* sends) {
  __shared__ std::uint32_t warps[kCountThreads / kWarp], all;
  unsigned long long* const row = places + blockIdx.x * tiles;
  unsigned long long next = sends->next[blockIdx.x];
  for (std::uint64_t first = 0; first < tiles; first += kCountThreads) {
    const std::uint64_t tile = first + threadIdx.x;
    const std::uint32_t mine = tile < tiles ? static_cast<std::uint32_t>(row[tile]) : 0;
    const std::uint32_t before = block_exclusive_sum(mine, warps);
    if (tile < tiles) row[tile] = next + before;
    if (threadIdx.x == kCountThreads - 1) all = before + mine;
    __syncthreads();
    next += all;
    __syncthreads();
  }
}

template <class Word, class V>
__device__ void stable_tile(const Word* keys_in, const V* values_in, std::uint32_t count,
                            const BucketOf<Word>& bucket_of, const Targets<Word, V>& targets, const Sends* sends,
                            const unsigned long long* places, std::uint64_t tiles, ExchangeStage<Word, V>& stage) {
  constexpr int kItems = ExchangeStage<Word, V>::kItems;
  constexpr std::uint32_t kWarps = kThreads / kWarp;
  __shared__ std::uint32_t counts[kWarps][kStableBuckets];
  const std::uint32_t lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp, buckets = bucket_of.count();
  // A warp takes neighbouring keys, 32 at a time.
  const auto position = [&](int i) { return (warp * kItems + static_cast<std::uint32_t>(i)) * kWarp + lane; };
  for (std::uint32_t b = lane; b < buckets; b += kWarp) counts[warp][b] = 0;
  __syncwarp();
  Word keys[kItems];
  std::uint32_t ranks[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const bool is_key = position(i) < count;
    if (is_key) keys[i] = keys_in[position(i)];
    const std::uint32_t bucket = is_key ? bucket_of(keys[i]) : kStableBuckets;
    const std::uint32_t alike = __match_any_sync(kAllLanesOfWarp, bucket);
    const std::uint32_t before = is_key ? counts[warp][bucket] : 0;
    ranks[i] = before + static_cast<std::uint32_t>(__popc(alike & ((1U << lane) - 1)));
    __syncwarp();
    const bool is_first = (alike & ((1U << lane) - 1)) == 0;
    if (is_key && is_first) counts[warp][bucket] = before + static_cast<std::uint32_t>(__popc(alike));
    __syncwarp();
  }
  __syncthreads();
  std::uint32_t mine = 0;
  if (threadIdx.x < buckets) {
    for (std::uint32_t w = 0; w < kWarps; ++w) {
      const std::uint32_t of_warp = counts[w][threadIdx.x];
      counts[w][threadIdx.x] = mine;
      mine += of_warp;
    }
  }
  place_runs(buckets, mine, mine > 0 ? places[threadIdx.x * tiles] : 0, targets, sends, stage);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    if (position(i) >= count) continue;
    const std::uint32_t bucket = bucket_of(keys[i]);
    const std::uint32_t place = stage.places[bucket] + counts[warp][bucket] + ranks[i];
    stage.keys[place] = keys[i];
    if constexpr (kHasValue<V>) stage.values[place] = values_in[position(i)];
  }
  __syncthreads();
  write_runs(bucket_of, targets, stage);
}

template <class Word, class V>
__global__ void __launch_bounds__(kThreads, 2)
    stable_exchange(const Word* keys, const V* values, std::uint64_t n, BucketOf<Word> bucket_of,
                    Targets<Word, V> in_targets, const Sends* sends, const unsigned long long* places) {
  extern __shared__ uint4 exchange_memory[];
  using Stage = ExchangeStage<Word, V>;
  auto& stage = *reinterpret_cast<Stage*>(exchange_memory);
  __shared__ Targets<Word, V> targets;
  copy_targets(in_targets, targets);
  __syncthreads();
  const std::uint64_t tiles = (n + Stage::kElements - 1) / Stage::kElements;
  for (std::uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const std::uint64_t begin = tile * Stage::kElements, rest = n - begin;
    stable_tile(keys + begin, values + begin,
                static_cast<std::uint32_t>(rest < Stage::kElements ? rest : Stage::kElements), bucket_of, targets,
                sends, places + tile, tiles, stage);
    __syncthreads();
  }
}

}  // namespace sortlab::multi_gpu
