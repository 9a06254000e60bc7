// The compiled shapes of a pass: its tile, how it is loaded and how its elements are ranked.
#pragma once

#include "algorithms/common/cuda/counting_pass/sort_tile.cuh"
#include "algorithms/ha_implicit_radix/implicit_rank.cuh"
#include "algorithms/ha_implicit_radix/plan.hpp"

namespace sortlab::ha {

template <Tile tile, class Word, class V>
constexpr TileSize kTileSize = tile_size(tile, sizeof(Word), std::is_same_v<V, NoValue> ? 0 : sizeof(V));

template <int Threads, int Items>
using PaperRank = ImplicitRank<Threads, Items, std::uint32_t, SharedWarpScan<Threads>>;
template <int Threads, int Items>
using ShuffleRank = ImplicitRank<Threads, Items, std::uint32_t, ShuffleWarpScan>;
template <int Threads, int Items>
using Rank64 = ImplicitRank<Threads, Items, std::uint64_t, ShuffleWarpScan>;
template <int Threads, int Items>
using SharedRank64 = ImplicitRank<Threads, Items, std::uint64_t, SharedWarpScan<Threads>>;

/// Pass over tiles of 1024 elements, or of half or twice as many.
template <class Word, class V, class Map, template <int, int> class Rank, class Memory = GlobalMemory,
          Tile tile = Tile::of_1024>
using NarrowPass = Pass<Word, V, Map, Rank, kTileSize<tile, Word, V>, kSplits, Load::elements, Memory>;
template <class Word, class V, class Map, class Memory = GlobalMemory>
using WidePass = Pass<Word, V, Map, Rank64, kTileSize<Tile::wide, Word, V>, kSplits, Load::async, Memory>;

}  // namespace sortlab::ha
