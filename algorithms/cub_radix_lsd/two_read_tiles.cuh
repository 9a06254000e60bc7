// Tiles of CUB's older radix sort, counted as by AgentRadixSortUpsweep, and ranked and exchanged as by
// AgentRadixSortDownsweep. A block takes many.
#pragma once

#include "algorithms/common/cuda/cub_tiles.cuh"

namespace sortlab::calibration {

template <class Policy, class K>
__global__ void __launch_bounds__(Policy::BLOCK_THREADS)
    count_region(TileDigit<K> digit, int tiles, std::uint32_t* out) {
  using Agent = cub::detail::radix_sort::AgentRadixSortUpsweep<Policy, K, LibraryOffset>;
  __shared__ typename Agent::TempStorage storage;
  Agent agent(storage, nullptr, digit.bit, digit.bits);
  RandomWords words;
  Discard discard;
  agent.ResetDigitCounters();
  agent.ResetUnpackedCounters();
  for (int tile = 0; tile < tiles;) {
    for (const int end = min(tiles, tile + Agent::UNROLL_COUNT); tile < end; ++tile) {
      K keys[Agent::KEYS_PER_THREAD];
      cub::LoadDirectStriped<Agent::BLOCK_THREADS>(threadIdx.x, Input<K>(words, digit.mask), keys);
      __syncthreads();
      Agent::template Iterate<0, Agent::KEYS_PER_THREAD>::BucketKeys(agent, keys);
    }
    __syncthreads();
    agent.UnpackDigitCounts();
    __syncthreads();
    agent.ResetDigitCounters();
  }
  __syncthreads();
  LibraryOffset counts[1];
  static_assert(Agent::RADIX_DIGITS <= Agent::BLOCK_THREADS);
  agent.ExtractCounts(counts);
  if (threadIdx.x < Agent::RADIX_DIGITS) discard.take(counts[0]);
  discard.finish(out);
}

/// Processes a tile as AgentRadixSortDownsweep::ProcessTile does.
template <class Agent, class K, class V>
__device__ __forceinline__ void downsweep_tile(Agent& agent, RandomWords& words, K mask, Discard& discard) {
  constexpr int kItems = Agent::ITEMS_PER_THREAD, kTracked = Agent::BINS_TRACKED_PER_THREAD;
  const auto load = [&]<class Load>(auto& items, auto input, Load&& block_load) {
    if constexpr (Agent::LOAD_WARP_STRIPED) {
      cub::LoadDirectWarpStriped(threadIdx.x, input, items);
    } else {
      block_load().Load(input, items);
      __syncthreads();
    }
  };
  K keys[kItems];
  int ranks[kItems], exclusive[kTracked], inclusive[kTracked];
  load(keys, Input<K>(words, mask), [&] { return typename Agent::BlockLoadKeysT(agent.temp_storage.load_keys); });
  typename Agent::BlockRadixRankT(agent.temp_storage.radix_rank)
      .RankKeys(keys, ranks, agent.digit_extractor(), exclusive);

  const auto for_bins = [&](const auto& f) {
#pragma unroll
    for (int track = 0; track < kTracked; ++track) {
      const int bin = threadIdx.x * kTracked + track;
      if (Agent::BLOCK_THREADS == Agent::RADIX_DIGITS || bin < Agent::RADIX_DIGITS) f(track, bin);
    }
  };
  __syncthreads();
  for_bins([&](int track, int bin) { agent.temp_storage.exclusive_digit_prefix[bin] = exclusive[track]; });
  __syncthreads();
  for_bins([&](int track, int bin) {
    inclusive[track] = bin == Agent::RADIX_DIGITS - 1
                           ? static_cast<int>(Agent::TILE_ITEMS)
                           : static_cast<int>(agent.temp_storage.exclusive_digit_prefix[bin + 1]);
  });
  __syncthreads();
  for_bins([&](int track, int bin) {
    agent.bin_offset[track] -= exclusive[track];
    agent.temp_storage.keys_and_offsets.relative_bin_offsets[bin] = agent.bin_offset[track];
    agent.bin_offset[track] += inclusive[track];
  });
  __syncthreads();

  LibraryOffset offsets[kItems];
#pragma unroll
  for (int i = 0; i < kItems; ++i) agent.temp_storage.keys_and_offsets.exchange_keys[ranks[i]] = keys[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < kItems; ++i) {
    const int at = threadIdx.x + i * Agent::BLOCK_THREADS;
    const K key = agent.temp_storage.keys_and_offsets.exchange_keys[at];
    offsets[i] = agent.temp_storage.keys_and_offsets.relative_bin_offsets[agent.digit_extractor().Digit(key)];
    discard.take_at(offsets[i] + at, key);
  }
  if constexpr (!Agent::KEYS_ONLY) {
    V values[kItems];
    __syncthreads();
    load(values, Input<V>(words, ~V{0}),
         [&] { return typename Agent::BlockLoadValuesT(agent.temp_storage.load_values); });
    __syncthreads();
    auto& exchange = agent.temp_storage.exchange_values.Alias();
#pragma unroll
    for (int i = 0; i < kItems; ++i) exchange[ranks[i]] = values[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kItems; ++i) {
      const int at = threadIdx.x + i * Agent::BLOCK_THREADS;
      discard.take_at(offsets[i] + at, exchange[at]);
    }
  }
}

/// Downsweep of tiles. `one_digit`: all keys of the input share the digit, and are only copied.
template <class Policy, class K, class V>
__global__ void __launch_bounds__(Policy::BLOCK_THREADS)
    exchange_region(TileDigit<K> digit, bool one_digit, int tiles, std::uint32_t* out) {
  using Agent = cub::detail::radix_sort::AgentRadixSortDownsweep<Policy, false, K, V, LibraryOffset>;
  __shared__ typename Agent::TempStorage storage;
  RandomWords words;
  Discard discard;
  LibraryOffset offsets[Agent::BINS_TRACKED_PER_THREAD];  // offsets of the block among the others
  for (LibraryOffset& offset : offsets) offset = one_digit ? 0 : 1 + words.next<std::uint32_t>() / 2;
  Agent agent(storage, offsets, LibraryOffset{0}, nullptr, nullptr, nullptr, nullptr, digit.bit, digit.bits);
#pragma unroll 1
  for (int tile = 0; tile < tiles; ++tile) {
    if (agent.short_circuit != 0) {
      const auto copy = [&]<class T>(Input<T> input) {
        T items[Agent::ITEMS_PER_THREAD];
        cub::LoadDirectStriped<Agent::BLOCK_THREADS>(threadIdx.x, input, items);
        __syncthreads();
        cub::StoreDirectStriped<Agent::BLOCK_THREADS>(threadIdx.x, Output<T>(discard), items);
      };
      copy(Input<K>(words, digit.mask));
      if constexpr (!Agent::KEYS_ONLY) copy(Input<V>(words, ~V{0}));
    } else {
      downsweep_tile<Agent, K, V>(agent, words, digit.mask, discard);
      __syncthreads();
    }
  }
  discard.finish(out);
}

}  // namespace sortlab::calibration
