// Probes of the tile primitives of ha_implicit_radix.
#include "algorithms/common/cuda/counting_pass/tile_probes.cuh"
#include "algorithms/ha_implicit_radix/passes.cuh"

namespace sortlab::calibration {
namespace {

/// Passes of the preset `paper`.
template <class Word, class V>
struct Paper {
  template <class Memory>
  using Pass = ha::NarrowPass<Word, V, ha::ExactMap<Word>, ha::PaperRank, Memory>;
  static constexpr bool kWritesPairs = true;
};

/// Passes of the preset `tuned`.
template <class Word, class V>
struct Tuned {
  template <class Memory>
  using Pass = ha::WidePass<Word, V, ha::ExactMap<Word>, Memory>;
  static constexpr bool kWritesPairs = false;
};

/// Passes of the preset `paper` with scatter=soa.
template <class Word, class V>
struct PaperArrays : Paper<Word, V> {
  static constexpr bool kWritesPairs = false;
};

void add_probes(Rounds& rounds, DeviceBench& bench) {
  add_ha_radix_tiles<Paper, Tuned>(rounds, bench, "ha_implicit_radix",
                                   {.sort = "implicit", .shuffle = "implicit_shuffle", .count = "count_nibbles"});
  const char* const arrays = "implicit_shuffle_soa";
  declare_radix_tiles(
      rounds, arrays,
      "ha_implicit_radix: output positions of sorted tiles, for two arrays (preset paper with scatter=soa)",
      {"key_bytes", "value_bytes"}, false);
  for_tile_types([&]<class K, class V>() {
    if constexpr (kTileValueBytes<V> != 0) {
      add_ha_tiles<PaperArrays<K, V>, AscendingTiles, false>(
          rounds, bench, arrays, point(sizeof(K), sizeof(V)),
          []<class P>(const ha::PassArguments<P>&) { return ha::shuffle<P>; });
    }
  });
}

const RegisterProbe registered{DeviceProbe{"ha_implicit_radix", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
