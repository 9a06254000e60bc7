// The compiled shapes of a pass: its tile, how it is loaded and how its elements are ranked.
#pragma once

#include "algorithms/common/cuda/counting_pass/sort_tile.cuh"
#include "algorithms/ha_implicit_radix/implicit_rank.cuh"
#include "algorithms/ha_implicit_radix/plan.hpp"

namespace sortlab::ha {

template <class Word, class V>
constexpr int kWideItems = wide_items(sizeof(Word), std::is_same_v<V, NoValue> ? 0 : sizeof(V));

template <int Threads, int Items>
using PaperRank = ImplicitRank<Threads, Items, std::uint32_t, SharedWarpScan<Threads>>;
template <int Threads, int Items>
using ShuffleRank = ImplicitRank<Threads, Items, std::uint32_t, ShuffleWarpScan>;
template <int Threads, int Items>
using Rank64 = ImplicitRank<Threads, Items, std::uint64_t, ShuffleWarpScan>;

template <class Word, class V, class Map, template <int, int> class Rank, class Memory = GlobalMemory>
using NarrowPass = Pass<Word, V, Map, Rank, kPaperItems, kSplits, Load::elements, Memory>;
template <class Word, class V, class Map, class Memory = GlobalMemory>
using WidePass = Pass<Word, V, Map, Rank64, kWideItems<Word, V>, kSplits, Load::async, Memory>;

}  // namespace sortlab::ha
