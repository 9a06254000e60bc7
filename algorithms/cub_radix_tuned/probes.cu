// MB8, tiles of CUB's OneSweep with the settings of cub_radix_tuned.
#include "algorithms/common/cuda/cub_onesweep_tiles.cuh"
#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/cub_radix_tuned/plan.hpp"

namespace sortlab::calibration {
namespace {

constexpr const char* kTunedRank = "rank_match_tuned";

template <class K, class V>
struct Tuned {
  static constexpr cub_tuned::Setting setting = cub_tuned::best_setting(sizeof(K), kTileValueBytes<V>);
  static_assert(setting.rank == cub_tuned::Rank::match_early_counts_any);
  using Tile = cub_radix_policy::Tile<setting.threads, setting.items, cub::RADIX_RANK_MATCH_EARLY_COUNTS_ANY>;
  using MaxPolicy = typename cub_radix_policy::Hub<K, LibraryValue<V>, LibraryOffset, setting.digit_bits,
                                                   cub_radix_policy::Form::onesweep, Tile>::MaxPolicy;
};

void add_probes(Rounds& rounds, DeviceBench& bench) {
  declare_alone(rounds, kTunedRank, {"threads", "items", "key_bytes", "value_bytes"});
  rounds.declare(tile_table(kTunedRank), "cycles/element",
                 "MB8: as tile.rank_match, with tiles of 'threads' x 'items' and 8-bit digits, as in cub_radix_tuned",
                 {"threads", "items", "key_bytes", "value_bytes", "entropy"});
  for_tile_types([&]<class K, class V>() {
    constexpr auto setting = Tuned<K, V>::setting;
    add_onesweep_rank<typename Tuned<K, V>::MaxPolicy, K, V>(
        rounds, bench, kTunedRank, setting.digit_bits,
        point(setting.threads, setting.items, sizeof(K), kTileValueBytes<V>));
  });
}

const RegisterProbe registered{DeviceProbe{"cub_radix_tuned", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
