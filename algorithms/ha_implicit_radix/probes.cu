// Tile primitives of ha_implicit_radix.
#include "algorithms/ha_implicit_radix/passes.cuh"
#include "algorithms/ha_implicit_radix/tile_probes.cuh"

namespace sortlab::calibration {
namespace {

/// Of the preset paper.
template <class Word, class V>
struct Paper {
  template <class Memory>
  using Pass = ha::NarrowPass<Word, V, ha::ExactMap<Word>, ha::PaperRank, Memory>;
  static constexpr bool kWritesPairs = true;
};

/// Of the preset tuned.
template <class Word, class V>
struct Tuned {
  template <class Memory>
  using Pass = ha::WidePass<Word, V, ha::ExactMap<Word>, Memory>;
  static constexpr bool kWritesPairs = false;
};

void add_probes(Rounds& rounds, DeviceBench& bench) {
  add_ha_radix_tiles<Paper, Tuned>(rounds, bench, "ha_implicit_radix",
                                   {.sort = "implicit", .shuffle = "implicit_shuffle", .count = "count_nibbles"});
}

const RegisterProbe registered{DeviceProbe{"ha_implicit_radix", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
