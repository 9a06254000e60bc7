// Maps parameters to one of the tile shapes, for keys of one width, and makes the sorter.
#pragma once

#include <memory>

#include "algorithms/common/cuda/counting_pass/lsd_sorter.cuh"
#include "algorithms/ha_implicit_radix/passes.cuh"
#include "core/parameters.hpp"

namespace sortlab::ha {

inline Settings resolve_settings(const Parameters& parameters) {
  return {
      .presort = chosen("presort", parameters.word("presort"), kPresorts),
      .scatter = chosen("scatter", parameters.word("scatter"), kScatters),
      .range_bits = static_cast<int>(parameters.integer("range_bits")),
      .limit_range = chosen("limit_range", parameters.word("limit_range"), kYesOrNo),
  };
}

/// Calls `f.template operator()<P>()` with the Pass that the parameters name.
template <class Word, class V, class Map, class F>
auto with_pass(const Parameters& parameters, const F& f) {
  const std::string &tile = parameters.word("tile"), &counter_bits = parameters.word("counter_bits"),
                    &warp_scan = parameters.word("warp_scan");
  const TileShape shape = parse_tile_shape(tile, counter_bits, warp_scan);
  if (shape == kWideShape) return f.template operator()<WidePass<Word, V, Map>>();
  if (shape == kShapeOf64) return f.template operator()<NarrowPass<Word, V, Map, Rank64>>();
  if (shape == kShuffledShape) return f.template operator()<NarrowPass<Word, V, Map, ShuffleRank>>();
  if (shape == kPaperShape) return f.template operator()<NarrowPass<Word, V, Map, PaperRank>>();
  if (shape == kHalfShape) {
    return f.template operator()<NarrowPass<Word, V, Map, PaperRank, GlobalMemory, Tile::of_512>>();
  }
  if (shape == kDoubleShape) {
    return f.template operator()<NarrowPass<Word, V, Map, SharedRank64, GlobalMemory, Tile::of_2048>>();
  }
  throw_no_code_for("tile", tile + " counter_bits=" + counter_bits + " warp_scan=" + warp_scan);
}

template <class Word, class V, class Map>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, const Parameters& parameters, KeyOrder<Word> order,
                                    const Resources& resources) {
  return with_pass<Word, V, Map>(parameters, [&]<class P>() -> std::unique_ptr<Sorter> {
    return std::make_unique<LsdSorter<P>>(problem, resolve_settings(parameters), order, resources);
  });
}

}  // namespace sortlab::ha
