// From parameters to a sorter: one of four shapes of a tile, for keys of one width.
#pragma once

#include <memory>

#include "algorithms/ha_implicit_radix/lsd_sorter.cuh"
#include "algorithms/ha_implicit_radix/passes.cuh"
#include "generators/parameters.hpp"

namespace sortlab::ha {

template <class Word, class V, class Map>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, const Parameters& parameters, KeyOrder<Word> order,
                                    const Resources& resources) {
  const Settings settings{
      .presort = parameters.word("presort") == "stored" ? Presort::stored : Presort::recomputed,
      .scatter = parameters.word("scatter") == "aos" ? Scatter::aos : Scatter::soa,
      .range_bits = static_cast<int>(parameters.integer("range_bits")),
      .limit_range = parameters.word("limit_range") == "yes",
  };
  const auto make = [&]<class P>() -> std::unique_ptr<Sorter> {
    return std::make_unique<LsdSorter<P>>(problem, settings, order, resources);
  };
  if (parameters.word("tile") == "wide") return make.template operator()<WidePass<Word, V, Map>>();
  if (parameters.word("counter_bits") == "64") return make.template operator()<NarrowPass<Word, V, Map, Rank64>>();
  if (parameters.word("warp_scan") == "shuffle")
    return make.template operator()<NarrowPass<Word, V, Map, ShuffleRank>>();
  return make.template operator()<NarrowPass<Word, V, Map, PaperRank>>();
}

}  // namespace sortlab::ha
