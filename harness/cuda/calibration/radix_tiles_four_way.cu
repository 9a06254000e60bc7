// Tile primitives of ha_four_way_radix.
#include "algorithms/ha_four_way_radix/passes.cuh"
#include "harness/cuda/calibration/radix_tiles_ha.cuh"

namespace sortlab::calibration {
namespace {

/// Of the preset paper.
template <class Word, class V>
struct Paper {
  template <class Memory>
  using Pass = ha::four_way::NarrowPass<Word, V, ha::ExactMap<Word>, Memory>;
  static constexpr bool kWritesPairs = false;
  static_assert(Pass<GlobalMemory>::kTile == AscendingTiles::kTile);
};

/// Of the preset tuned.
template <class Word, class V>
struct Tuned {
  template <class Memory>
  using Pass = ha::four_way::WidePass<Word, V, ha::ExactMap<Word>, Memory>;
  static constexpr bool kWritesPairs = false;
};

template <class Word, class V>
void add_types(Rounds& rounds, DeviceBench& bench) {
  const auto key = sizeof(Word);
  const auto value = kTileValueBytes<V>;
  add_ha_tiles<Paper<Word, V>, QuadraticWords, true>(
      rounds, bench, "four_way", point(0, key, value),
      []<class P>(const ha::PassArguments<P>&) { return ha::presort<P>; });
  add_ha_tiles<Tuned<Word, V>, QuadraticWords, true>(
      rounds, bench, "four_way", point(1, key, value),
      []<class P>(const ha::PassArguments<P>&) { return ha::sort_and_shuffle<P>; });
  add_ha_tiles<Paper<Word, V>, AscendingTiles, false>(
      rounds, bench, "four_way_shuffle", point(key, value),
      []<class P>(const ha::PassArguments<P>&) { return ha::shuffle<P>; });
  add_ha_tiles<Tuned<Word, V>, LinearWords, false>(rounds, bench, "four_way_count", point(key, value),
                                                   []<class P>(const ha::PassArguments<P>&) { return ha::count<P>; });
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
