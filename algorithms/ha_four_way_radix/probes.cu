// Probes of the tile primitives of ha_four_way_radix.
#include "algorithms/common/cuda/counting_pass/tile_probes.cuh"
#include "algorithms/ha_four_way_radix/passes.cuh"

namespace sortlab::calibration {
namespace {

/// Passes of the preset `paper`.
template <class Word, class V>
struct Paper {
  template <class Memory>
  using Pass = ha::four_way::NarrowPass<Word, V, ha::ExactMap<Word>, Memory>;
  static constexpr bool kWritesPairs = false;
};

/// Passes of the preset `tuned`.
template <class Word, class V>
struct Tuned {
  template <class Memory>
  using Pass = ha::four_way::WidePass<Word, V, ha::ExactMap<Word>, Memory>;
  static constexpr bool kWritesPairs = false;
};

void add_probes(Rounds& rounds, DeviceBench& bench) {
  add_ha_radix_tiles<Paper, Tuned>(rounds, bench, "ha_four_way_radix",
                                   {.sort = "four_way", .shuffle = "four_way_shuffle", .count = "four_way_count"});
}

const RegisterProbe registered{DeviceProbe{"ha_four_way_radix", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
