// The two shapes of a pass: that of the preset `paper`, and wide.
#pragma once

#include "algorithms/common/cuda/counting_pass/sort_tile.cuh"
#include "algorithms/ha_four_way_radix/four_stream_rank.cuh"
#include "algorithms/ha_four_way_radix/plan.hpp"

namespace sortlab::ha::four_way {

template <int Threads, int Items>
using PaperRank = FourStreamRank<Threads, Items, SharedWarpScan<Threads>>;
template <int Threads, int Items>
using ShuffleRank = FourStreamRank<Threads, Items, ShuffleWarpScan>;

template <class Word, class V, class Map, class Memory = GlobalMemory>
using NarrowPass = Pass<Word, V, Map, PaperRank, kPaperTile, kSplits, Load::elements, Memory>;
template <class Word, class V, class Map, class Memory = GlobalMemory>
using WidePass = Pass<Word, V, Map, ShuffleRank, kWideTile, kSplits, Load::async, Memory>;

}  // namespace sortlab::ha::four_way
