// Work of one tile of OneSweep, as in AgentRadixSortOnesweep::Process, and of its histogram of all digits.
#pragma once

#include "algorithms/common/cuda/cub_tiles.cuh"
#include "algorithms/common/cuda/tile_probe.hpp"

namespace sortlab::calibration {

template <class Policy, class K, class V>
using OneSweepAgent = cub::detail::radix_sort::AgentRadixSortOnesweep<Policy, false, K, V, LibraryOffset, int>;

/// Callback after counting a tile's digits, before ranking continues: a tile of a single digit ends here.
template <class Agent, class K, class V>
struct AfterCounts {
  static constexpr bool EMPTY = false;
  Agent& agent;
  RandomWords& words;
  Discard& discard;
  std::uint32_t* out;
  int (&bins)[Agent::BINS_PER_THREAD];
  K (&keys)[Agent::ITEMS_PER_THREAD];

  __device__ __forceinline__ void operator()(int (&counts)[Agent::BINS_PER_THREAD]) {
    bool one_digit = false;
    for (int u = 0; u < Agent::BINS_PER_THREAD; ++u) {
      bins[u] = counts[u];
      discard.take(static_cast<std::uint32_t>(counts[u] | Agent::LOOKBACK_PARTIAL_MASK));
      one_digit |= agent.ThreadBin(u) < Agent::RADIX_DIGITS && counts[u] == Agent::TILE_ITEMS;
    }
    if (__syncthreads_or(one_digit) == 0) return;
    for (int u = 0; u < Agent::BINS_PER_THREAD; ++u) {
      const int bin = agent.ThreadBin(u);
      if (bin < Agent::RADIX_DIGITS) agent.s.global_offsets[bin] = words.next<std::uint32_t>();
    }
    __syncthreads();
    discard.take(agent.s.global_offsets[agent.Digit(keys[0])]);
    for (int u = 0; u < Agent::ITEMS_PER_THREAD; ++u) {
      discard.take(keys[u]);
      if constexpr (!Agent::KEYS_ONLY) discard.take(words.next<V>());
    }
    discard.finish(out);
    cub::ThreadExit();
  }
};

template <class MaxPolicy, class K, class V>
__global__ void __launch_bounds__(MaxPolicy::ActivePolicy::OnesweepPolicy::BLOCK_THREADS)
    rank_tile(TileDigit<K> digit, std::uint32_t* out) {
  using Agent = OneSweepAgent<typename MaxPolicy::ActivePolicy::OnesweepPolicy, K, V>;
  constexpr int kItems = Agent::ITEMS_PER_THREAD, kBins = Agent::BINS_PER_THREAD;
  __shared__ typename Agent::TempStorage storage;
  // Replaces the block counter in global memory. Nothing else is stored yet, and a tile may leave no room for more.
  int& ticket = reinterpret_cast<int&>(storage);
  if (threadIdx.x == 0) ticket = static_cast<int>(blockIdx.x);
  Agent agent(storage, nullptr, &ticket, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, digit.bit,
              digit.bits);

  RandomWords words;
  Discard discard;
  K keys[kItems];
  cub::LoadDirectWarpStriped(threadIdx.x, Input<K>(words, digit.mask), keys);
  int ranks[kItems], prefix[kBins], bins[kBins];
  typename Agent::BlockRadixRankT(agent.s.rank_temp_storage)
      .RankKeys(keys, ranks, agent.digit_extractor(), prefix,
                AfterCounts<Agent, K, V>{agent, words, discard, out, bins, keys});

  __syncthreads();
  agent.ScatterKeysShared(keys, ranks);
  for (int u = 0; u < kBins; ++u) {
    const int bin = agent.ThreadBin(u);
    if (Agent::FULL_BINS || bin < Agent::RADIX_DIGITS) {
      const std::uint32_t before = words.next<std::uint32_t>();  // would come from the look-back
      agent.s.global_offsets[bin] = LibraryOffset{before} - prefix[u];
      discard.take(before + bins[u]);
    }
  }
  __syncthreads();
#pragma unroll
  for (int u = 0; u < kItems; ++u) {
    const int at = threadIdx.x + u * Agent::BLOCK_THREADS;
    const K key = agent.s.keys_out[at];
    discard.take_at(at + agent.s.global_offsets[agent.Digit(key)], key);
    __syncwarp();
  }
  if constexpr (!Agent::KEYS_ONLY) {
    int digits[kItems];
    agent.ComputeKeyDigits(digits);
    V values[kItems];
    cub::LoadDirectWarpStriped(threadIdx.x, Input<V>(words, ~V{0}), values);
    __syncthreads();
    agent.ScatterValuesShared(values, ranks);
    __syncthreads();
#pragma unroll
    for (int u = 0; u < kItems; ++u) {
      const int at = threadIdx.x + u * Agent::BLOCK_THREADS;
      const V value = agent.s.values_out[at];
      discard.take_at(at + agent.s.global_offsets[digits[u]], value);
      __syncwarp();
    }
  }
  discard.finish(out);
}

template <class MaxPolicy, class K>
__global__ void __launch_bounds__(MaxPolicy::ActivePolicy::HistogramPolicy::BLOCK_THREADS)
    count_tiles(K mask, int bits, int tiles, std::uint32_t* out) {
  using Agent = cub::detail::radix_sort::AgentRadixSortHistogram<typename MaxPolicy::ActivePolicy::HistogramPolicy,
                                                                 false, K, LibraryOffset>;
  __shared__ typename Agent::TempStorage storage;
  Agent agent(storage, nullptr, nullptr, 0, 0, bits);
  RandomWords words;
  Discard discard;
  agent.Init();
  for (int tile = 0; tile < tiles; ++tile) {
    K keys[Agent::ITEMS_PER_THREAD];
    cub::LoadDirectStriped<Agent::BLOCK_THREADS>(threadIdx.x, Input<K>(words, mask), keys);
    agent.AccumulateSharedHistograms(0, keys);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < Agent::RADIX_DIGITS; bin += Agent::BLOCK_THREADS) {
    for (int pass = 0; pass < agent.num_passes; ++pass)
      discard.take(cub::ThreadReduce(agent.s.bins[pass][bin], ::cuda::std::plus<>{}));
  }
  discard.finish(out);
}

/// Adds points of rank_tile to `tile.<table>` and `alone.<table>`, for digits of `bits` bits. `at`: the arguments
/// before the entropy.
template <class MaxPolicy, class K, class V>
void add_onesweep_rank(Rounds& rounds, DeviceBench& bench, const char* table, int bits, const std::vector<double>& at) {
  with_policy<MaxPolicy>([&]<class Policies>() {
    using Policy = typename Policies::OnesweepPolicy;
    constexpr int threads = Policy::BLOCK_THREADS;
    const auto kernel = rank_tile<MaxPolicy, K, LibraryValue<V>>;
    const int tiles = kWaves * bench.multiprocessors * bench.resident_blocks(kernel, threads);
    const std::int64_t elements = std::int64_t{tiles} * threads * Policy::ITEMS_PER_THREAD;
    for (const int entropy : entropies(bits, bench.quick)) {
      std::vector<double> with_entropy = at;
      with_entropy.push_back(entropy);
      rounds.add(tile_table(table), std::move(with_entropy), [=, &bench] {
        return cycles_per_element(bench, elements, [&](cudaStream_t stream) {
          kernel<<<tiles, threads, 0, stream>>>(tile_digit<K>(bits, entropy), probe_output(bench));
        });
      });
    }
    add_alone(rounds, bench, table, at, threads, [=, &bench](cudaStream_t stream, unsigned blocks) {
      kernel<<<blocks, threads, 0, stream>>>(tile_digit<K>(bits, bits), probe_output(bench));
    });
  });
}

}  // namespace sortlab::calibration
