// From parameters to one of four shapes of a tile, for keys of one width; and to a sorter.
#pragma once

#include <memory>

#include "algorithms/ha_implicit_radix/implicit_rank.cuh"
#include "algorithms/ha_implicit_radix/lsd_sorter.cuh"
#include "generators/parameters.hpp"

namespace sortlab::ha {

constexpr int kPaperItems = 4;

/// Elements of a thread in a wide tile: as many as shared memory and 80 registers hold.
template <class Word, class V>
constexpr int kWideItems = sizeof(Word) == 4 && (std::is_same_v<V, NoValue> || sizeof(V) == 4) ? 16 : 8;

template <int Threads, int Items>
using PaperRank = ImplicitRank<Threads, Items, std::uint32_t, SharedWarpScan<Threads>>;
template <int Threads, int Items>
using ShuffleRank = ImplicitRank<Threads, Items, std::uint32_t, ShuffleWarpScan>;
template <int Threads, int Items>
using Rank64 = ImplicitRank<Threads, Items, std::uint64_t, ShuffleWarpScan>;

inline Settings settings_of(const Parameters& parameters) {
  return {
      .presort = parameters.word("presort") == "stored" ? Presort::stored : Presort::recomputed,
      .scatter = parameters.word("scatter") == "aos" ? Scatter::aos : Scatter::soa,
      .range_bits = static_cast<int>(parameters.integer("range_bits")),
      .limit_range = parameters.word("limit_range") == "yes",
  };
}

/// Calls `f.template operator()<P>()` with the Pass that the parameters name.
template <class Word, class V, class Map, class F>
auto with_pass(const Parameters& parameters, const F& f) {
  const auto with = [&]<template <int, int> class Rank, int Items, Load Loads>() {
    constexpr int splits = 2;
    return f.template operator()<Pass<Word, V, Map, Rank, Items, splits, Loads>>();
  };
  if (parameters.word("tile") == "wide") return with.template operator()<Rank64, kWideItems<Word, V>, Load::async>();
  if (parameters.word("counter_bits") == "64") return with.template operator()<Rank64, kPaperItems, Load::elements>();
  if (parameters.word("warp_scan") == "shuffle")
    return with.template operator()<ShuffleRank, kPaperItems, Load::elements>();
  return with.template operator()<PaperRank, kPaperItems, Load::elements>();
}

template <class Word, class V, class Map>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, const Parameters& parameters, KeyOrder<Word> order,
                                    const Resources& resources) {
  return with_pass<Word, V, Map>(parameters, [&]<class P>() -> std::unique_ptr<Sorter> {
    return std::make_unique<LsdSorter<P>>(problem, settings_of(parameters), order, resources);
  });
}

}  // namespace sortlab::ha
