// Tile primitives of ha_four_way_radix.
#include "algorithms/ha_four_way_radix/passes.cuh"
#include "harness/cuda/calibration/radix_tiles_ha.cuh"

namespace sortlab::calibration {
namespace {

template <class Word, class V>
void add_types(Rounds& rounds, DeviceBench& bench) {
  using Map = ha::ExactMap<Word>;
  using Paper = ha::four_way::NarrowPass<Word, V, Map, RegisterMemory<RandomWords32>>;
  using PaperSorted = ha::four_way::NarrowPass<Word, V, Map, RegisterMemory<SortedTiles>>;
  using Tuned = ha::four_way::WidePass<Word, V, Map, RegisterMemory<RandomWords32>>;
  static_assert(PaperSorted::kTile == SortedTiles::kTile);
  const auto key = sizeof(Word);
  const auto value = kTileValueBytes<V>;
  add_ha_tiles<Paper>(rounds, bench, "four_way", point(0, key, value), Keep::lowest, true, ha::presort<Paper>);
  add_ha_tiles<Tuned>(rounds, bench, "four_way", point(1, key, value), Keep::lowest, true, ha::sort_and_shuffle<Tuned>);
  add_ha_tiles<PaperSorted>(rounds, bench, "four_way_shuffle", point(key, value), Keep::highest, false,
                            ha::shuffle<PaperSorted>);
  add_ha_tiles<Tuned>(rounds, bench, "four_way_count", point(key, value), Keep::lowest, false, ha::count<Tuned>);
}

}  // namespace

void add_four_way_radix_tiles(Rounds& rounds, DeviceBench& bench) {
  const std::string sort = "ha_four_way_radix: ";
  declare_radix_tiles(rounds, "four_way",
                      sort +
                          "tiles sorted, and stored (wide: 0, preset paper) or written to their places (wide: 1, "
                          "preset tuned)",
                      {"wide", "key_bytes", "value_bytes"}, true);
  declare_radix_tiles(rounds, "four_way_shuffle", sort + "places of sorted tiles (preset paper)",
                      {"key_bytes", "value_bytes"}, false);
  declare_radix_tiles(rounds, "four_way_count", sort + "digits counted (preset tuned)", {"key_bytes", "value_bytes"},
                      false);
  for_tile_types([&]<class K, class V>() { add_types<K, V>(rounds, bench); });
}

}  // namespace sortlab::calibration
