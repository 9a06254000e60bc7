// Tile primitives of ha_implicit_radix.
#include "algorithms/ha_implicit_radix/passes.cuh"
#include "harness/cuda/calibration/radix_tiles_ha.cuh"

namespace sortlab::calibration {
namespace {

template <class Word, class V>
void add_types(Rounds& rounds, DeviceBench& bench) {
  using Map = ha::ExactMap<Word>;
  using Paper = ha::NarrowPass<Word, V, Map, ha::PaperRank, RegisterMemory<RandomWords32>>;
  using PaperSorted = ha::NarrowPass<Word, V, Map, ha::PaperRank, RegisterMemory<SortedTiles>>;
  using Tuned = ha::WidePass<Word, V, Map, RegisterMemory<RandomWords32>>;
  static_assert(PaperSorted::kTile == SortedTiles::kTile);
  const auto key = sizeof(Word);
  const auto value = kTileValueBytes<V>;
  add_ha_tiles<Paper>(rounds, bench, "implicit", point(0, key, value), Keep::lowest, true, ha::presort<Paper>);
  add_ha_tiles<Tuned>(rounds, bench, "implicit", point(1, key, value), Keep::lowest, true, ha::sort_and_shuffle<Tuned>);
  add_ha_tiles<PaperSorted>(rounds, bench, "implicit_shuffle", point(key, value), Keep::highest, false,
                            ha::shuffle<PaperSorted>);
  add_ha_tiles<Tuned>(rounds, bench, "count_nibbles", point(key, value), Keep::lowest, false, ha::count<Tuned>);
}

}  // namespace

void add_implicit_radix_tiles(Rounds& rounds, DeviceBench& bench) {
  const std::string sort = "ha_implicit_radix: ";
  declare_radix_tiles(rounds, "implicit",
                      sort +
                          "tiles sorted, and stored (wide: 0, preset paper) or written to their places (wide: 1, "
                          "preset tuned)",
                      {"wide", "key_bytes", "value_bytes"}, true);
  declare_radix_tiles(rounds, "implicit_shuffle", sort + "places of sorted tiles (preset paper)",
                      {"key_bytes", "value_bytes"}, false);
  declare_radix_tiles(rounds, "count_nibbles", sort + "digits counted (preset tuned)", {"key_bytes", "value_bytes"},
                      false);
  for_tile_types([&]<class K, class V>() { add_types<K, V>(rounds, bench); });
}

}  // namespace sortlab::calibration
