// Tile primitives of ha_four_way_radix.
#include "algorithms/ha_four_way_radix/passes.cuh"
#include "harness/calibrate/device/radix_tiles_ha.cuh"

namespace sortlab::calibration {
namespace {

/// Of the preset paper.
template <class Word, class V>
struct Paper {
  template <class Memory>
  using Pass = ha::four_way::NarrowPass<Word, V, ha::ExactMap<Word>, Memory>;
  static constexpr bool kWritesPairs = false;
};

/// Of the preset tuned.
template <class Word, class V>
struct Tuned {
  template <class Memory>
  using Pass = ha::four_way::WidePass<Word, V, ha::ExactMap<Word>, Memory>;
  static constexpr bool kWritesPairs = false;
};

}  // namespace

void add_four_way_radix_tiles(Rounds& rounds, DeviceBench& bench) {
  add_ha_radix_tiles<Paper, Tuned>(rounds, bench, "ha_four_way_radix",
                                   {.sort = "four_way", .shuffle = "four_way_shuffle", .count = "four_way_count"});
}

}  // namespace sortlab::calibration
