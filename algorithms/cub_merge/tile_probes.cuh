// Tiles of CUB's merge sort, by its own agents.
#pragma once

#include <cub/device/device_merge_sort.cuh>

#include "algorithms/common/cuda/cub_tiles.cuh"

namespace sortlab::calibration {

struct LibraryLess {
  template <class K>
  __device__ bool operator()(K a, K b) const {
    return a < b;
  }
};

template <class T>
using InputOrNone = std::conditional_t<std::is_same_v<T, cub::NullType>, cub::NullType*, Input<T>>;
template <class T>
using OutputOrNone = std::conditional_t<std::is_same_v<T, cub::NullType>, cub::NullType*, Output<T>>;

template <class Policy, class K, class V>
__global__ void __launch_bounds__(Policy::BLOCK_THREADS) merge_sort_tile(K mask, std::uint32_t* out) {
  using Agent = cub::detail::merge_sort::AgentBlockSort<Policy, Input<K>, InputOrNone<V>, Output<K>, OutputOrNone<V>,
                                                        std::uint64_t, LibraryLess, K, V>;
  __shared__ typename Agent::TempStorage storage;
  RandomWords words;
  Discard discard;
  constexpr bool to_output = true;
  const auto sort = [&](auto values_in, auto values_out) {
    Agent agent(to_output, storage, Input<K>(words, mask), values_in, 0, Output<K>(discard), values_out, nullptr,
                nullptr, LibraryLess{});
    agent.template consume_tile<false>(0, Agent::ITEMS_PER_TILE);
  };
  if constexpr (Agent::KEYS_ONLY) {
    sort(typename Agent::ItemsLoadIt(static_cast<cub::NullType*>(nullptr)), static_cast<cub::NullType*>(nullptr));
  } else {
    sort(Input<V>(words, ~V{0}), Output<V>(discard));
  }
  discard.finish(out);
}

template <class K, class V>
struct MergeTileInput {
  const K* keys;  ///< two consecutive runs of a tile each
  const V* values;
  std::uint64_t* partitions;  ///< begin and end in the first run of the first tile of their merge
};

/// Merges the first tile of a merge. All blocks read the same tile, which comes from the L1 cache.
template <class Policy, class K, class V>
__global__ void __launch_bounds__(Policy::BLOCK_THREADS) merge_tile(MergeTileInput<K, V> input, std::uint32_t* out) {
  using Agent =
      cub::detail::merge_sort::AgentMerge<Policy, Output<K>, OutputOrNone<V>, std::uint64_t, LibraryLess, K, V>;
  __shared__ typename Agent::TempStorage storage;
  Discard discard;
  constexpr bool from_output = false;
  const auto merge = [&](auto values_out) {
    Agent agent(from_output, storage, Output<K>(discard), values_out, typename Agent::KeysLoadPongIt(input.keys),
                typename Agent::ItemsLoadPongIt(input.values), 2 * Agent::ITEMS_PER_TILE, nullptr, nullptr,
                Output<K>(discard), values_out, LibraryLess{}, input.partitions, 2);
    agent.template consume_tile<true>(threadIdx.x, 0, 0, Agent::ITEMS_PER_TILE);
  };
  if constexpr (Agent::KEYS_ONLY) {
    merge(static_cast<cub::NullType*>(nullptr));
  } else {
    merge(Output<V>(discard));
  }
  discard.finish(out);
}

}  // namespace sortlab::calibration
