// From parameters to one of four shapes of a tile, for keys of one width; and to a sorter.
#pragma once

#include <memory>

#include "algorithms/ha_implicit_radix/lsd_sorter.cuh"
#include "algorithms/ha_implicit_radix/passes.cuh"
#include "core/parameters.hpp"

namespace sortlab::ha {

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
  if (parameters.word("tile") == "wide") return f.template operator()<WidePass<Word, V, Map>>();
  if (parameters.word("counter_bits") == "64") return f.template operator()<NarrowPass<Word, V, Map, Rank64>>();
  if (parameters.word("warp_scan") == "shuffle") return f.template operator()<NarrowPass<Word, V, Map, ShuffleRank>>();
  return f.template operator()<NarrowPass<Word, V, Map, PaperRank>>();
}

template <class Word, class V, class Map>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, const Parameters& parameters, KeyOrder<Word> order,
                                    const Resources& resources) {
  return with_pass<Word, V, Map>(parameters, [&]<class P>() -> std::unique_ptr<Sorter> {
    return std::make_unique<LsdSorter<P>>(problem, settings_of(parameters), order, resources);
  });
}

}  // namespace sortlab::ha
