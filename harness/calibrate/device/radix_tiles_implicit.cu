// Tile primitives of ha_implicit_radix.
#include "algorithms/ha_implicit_radix/passes.cuh"
#include "harness/calibrate/device/radix_tiles_ha.cuh"

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

}  // namespace

void add_implicit_radix_tiles(Rounds& rounds, DeviceBench& bench) {
  add_ha_radix_tiles<Paper, Tuned>(rounds, bench, "ha_implicit_radix",
                                   {.sort = "implicit", .shuffle = "implicit_shuffle", .count = "count_nibbles"});
}

}  // namespace sortlab::calibration
