// Selects the kernels compiled for a setting.
#pragma once

#include <utility>

#include "algorithms/common/cuda/cub_radix_policy.cuh"
#include "algorithms/common/cuda/cub_radix_sorter.cuh"
#include "algorithms/cub_radix_tuned/sorters.hpp"

namespace sortlab::cub_tuned {

constexpr cub::RadixRankAlgorithm cub_rank_algorithm(Rank rank) {
  switch (rank) {
    case Rank::match_early_counts_any: return cub::RADIX_RANK_MATCH_EARLY_COUNTS_ANY;
    case Rank::match_early_counts_atomic_or: return cub::RADIX_RANK_MATCH_EARLY_COUNTS_ATOMIC_OR;
    case Rank::match: break;
  }
  return cub::RADIX_RANK_MATCH;
}

template <class K, class V, const auto& settings, std::size_t index>
std::unique_ptr<Sorter> make(const Problem& problem, const Resources& resources) {
  using namespace cub_radix_policy;
  constexpr Setting setting = settings[index];
  using BlockTile = Tile<setting.threads, setting.items, cub_rank_algorithm(setting.rank)>;
  using PolicyHub = Hub<K, CubValue<V>, CubOffset, setting.digit_bits, Form::onesweep, BlockTile>;
  return std::make_unique<CubRadixSorter<K, V, CubRadixUnderPolicy<K, V, PolicyHub>>>(problem, resources);
}

/// A sorter for `wanted`, one of `settings`; cub_radix_tuned.cpp declines any other.
template <class K, class V, const auto& settings>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, const Setting& wanted, const Resources& resources) {
  return [&]<std::size_t... index>(std::index_sequence<index...>) {
    std::unique_ptr<Sorter> sorter;
    const bool found =
        ((settings[index] == wanted && (sorter = make<K, V, settings, index>(problem, resources), true)) || ...);
    if (!found) throw std::logic_error("cub_radix_tuned: no kernels for this setting");
    return sorter;
  }
  (std::make_index_sequence<settings.size()>{});
}

}  // namespace sortlab::cub_tuned
