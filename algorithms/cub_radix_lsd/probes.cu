#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/cub_radix_lsd/two_read_tiles.cuh"
#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {
namespace {

constexpr int kTilesExchanged = 8;  ///< tiles exchanged by a block; about 17 in a sort of 2^28 keys
constexpr int kTilesCounted = 16;
/// CUB's blocks per resident block of the device.
constexpr int kRegionWaves = cub::detail::subscription_factor;

template <class Policy, class K, class V>
void add_exchange(Rounds& rounds, DeviceBench& bench, const char* table) {
  constexpr int bits = Policy::RADIX_BITS;
  constexpr int threads = Policy::BLOCK_THREADS;
  const auto kernel = exchange_region<Policy, K, LibraryValue<V>>;
  const int blocks = kRegionWaves * bench.multiprocessors * bench.resident_blocks(kernel, threads);
  const std::int64_t elements = std::int64_t{blocks} * kTilesExchanged * threads * Policy::ITEMS_PER_THREAD;
  for (const int entropy : entropies(bits, bench.quick)) {
    rounds.add(tile_table(table), point(bits, sizeof(K), kTileValueBytes<V>, entropy), [=, &bench] {
      return cycles_per_element(bench, elements, [&](cudaStream_t stream) {
        kernel<<<blocks, threads, 0, stream>>>(tile_digit<K>(bits, entropy), entropy == 0, kTilesExchanged,
                                               probe_output(bench));
      });
    });
  }
  add_alone(rounds, bench, table, point(bits, sizeof(K), kTileValueBytes<V>), threads,
            [=, &bench](cudaStream_t stream, unsigned blocks) {
              kernel<<<blocks, threads, 0, stream>>>(tile_digit<K>(bits, bits), false, 1, probe_output(bench));
            });
}

/// Adds points of counting. `sorts_own`: the sort's own kernel, whose occupancy the probe copies.
template <class Policy, class K, class Own>
void add_count(Rounds& rounds, DeviceBench& bench, const char* table, Own* sorts_own) {
  constexpr int bits = Policy::RADIX_BITS;
  constexpr int threads = Policy::BLOCK_THREADS;
  const auto kernel = count_region<Policy, K>;
  const std::uint32_t bytes = bytes_to_hold(bench, kernel, threads, 0, bench.resident_blocks(sorts_own, threads));
  const int blocks = kRegionWaves * bench.multiprocessors * bench.resident_blocks(kernel, threads, bytes);
  const std::int64_t elements = std::int64_t{blocks} * kTilesCounted * threads * Policy::ITEMS_PER_THREAD;
  for (const int entropy : entropies(bits, bench.quick)) {
    rounds.add(tile_table(table), point(bits, sizeof(K), entropy), [=, &bench] {
      return cycles_per_element(bench, elements, [&](cudaStream_t stream) {
        kernel<<<blocks, threads, bytes, stream>>>(tile_digit<K>(bits, entropy), kTilesCounted, probe_output(bench));
      });
    });
  }
  add_alone(rounds, bench, table, point(bits, sizeof(K)), threads, [=, &bench](cudaStream_t stream, unsigned blocks) {
    kernel<<<blocks, threads, bytes, stream>>>(tile_digit<K>(bits, bits), 1, probe_output(bench));
  });
}

template <class Policies, bool alternate, class K>
constexpr auto* upsweep =
    cub::detail::radix_sort::DeviceRadixSortUpsweepKernel<Policies, alternate, cub::SortOrder::Ascending, K,
                                                          LibraryOffset>;

template <int bits>
void add_form(Rounds& rounds, DeviceBench& bench) {
  constexpr bool has_alternate = bits != 4;  // 4 divides all key widths
  for_tile_types([&]<class K, class V>() {
    using Policies = typename cub_radix_policy::Hub<K, LibraryValue<V>, LibraryOffset, bits,
                                                    cub_radix_policy::Form::two_read>::MaxPolicy;
    add_exchange<typename Policies::DownsweepPolicy, K, V>(rounds, bench, "rank_downsweep");
    if constexpr (has_alternate) {
      add_exchange<typename Policies::AltDownsweepPolicy, K, V>(rounds, bench, "rank_downsweep_alternate");
    }
    if constexpr (std::is_same_v<V, NoValue>) {
      add_count<typename Policies::UpsweepPolicy, K>(rounds, bench, "upsweep", upsweep<Policies, false, K>);
      if constexpr (has_alternate) {
        add_count<typename Policies::AltUpsweepPolicy, K>(rounds, bench, "upsweep_alternate",
                                                          upsweep<Policies, true, K>);
      }
    }
  });
}

void add_probes(Rounds& rounds, DeviceBench& bench) {
  const auto declare = [&](const char* table, const std::string& what, bool values) {
    std::vector<std::string> arguments{"digit_bits", "key_bytes"};
    if (values) arguments.emplace_back("value_bytes");
    declare_alone(rounds, table, arguments);
    arguments.emplace_back("entropy");
    rounds.declare(tile_table(table), "cycles/element", "MB8: " + what + "; digits of 2^entropy values",
                   std::move(arguments));
  };
  const std::string alternate = ", for the digits one bit narrower that its passes begin with";
  const std::string exchange =
      "a tile of CUB's downsweep from registers: ranked, keys and values exchanged in shared memory, the places of "
      "their output found";
  const std::string count = "the tiles of CUB's upsweep, counted from registers";
  declare("rank_downsweep", exchange, true);
  declare("rank_downsweep_alternate", exchange + alternate, true);
  declare("upsweep", count, false);
  declare("upsweep_alternate", count + alternate, false);
  add_form<4>(rounds, bench);
  add_form<5>(rounds, bench);
  add_form<7>(rounds, bench);
}

const RegisterProbe registered{DeviceProbe{"cub_radix_lsd", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
