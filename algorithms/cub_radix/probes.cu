// MB8, tiles of CUB's OneSweep: as the toolkit ships it, and with digits of other widths.
#include "algorithms/common/cuda/cub_onesweep_tiles.cuh"
#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {
namespace {

constexpr const char* kRank = "rank_match";
constexpr const char* kCount = "histogram";
constexpr int kTilesCounted = 32;  ///< tiles counted by a block

template <class MaxPolicy, class K>
void add_count(Rounds& rounds, DeviceBench& bench, int bits) {
  with_policy<MaxPolicy>([&]<class Policies>() {
    using Policy = typename Policies::HistogramPolicy;
    constexpr int threads = Policy::BLOCK_THREADS;
    constexpr int width = 8 * sizeof(K);
    const auto kernel = count_tiles<MaxPolicy, K>;
    const int blocks = bench.multiprocessors * bench.resident_blocks(kernel, threads);
    const std::int64_t elements = std::int64_t{blocks} * kTilesCounted * threads * Policy::ITEMS_PER_THREAD;
    for (const int entropy : entropies(bits, bench.quick)) {
      rounds.add(tile_table(kCount), point(bits, (width + bits - 1) / bits, sizeof(K), entropy), [=, &bench] {
        return cycles_per_element(bench, elements, [&](cudaStream_t stream) {
          kernel<<<blocks, threads, 0, stream>>>(digits_mask<K>(bits, entropy), width, kTilesCounted,
                                                 probe_output(bench));
        });
      });
    }
    add_alone(rounds, bench, kCount, point(bits, (width + bits - 1) / bits, sizeof(K)), threads,
              [=, &bench](cudaStream_t stream, unsigned blocks) {
                kernel<<<blocks, threads, 0, stream>>>(digits_mask<K>(bits, bits), width, 1, probe_output(bench));
              });
  });
}

/// Policies of the toolkit's own sort.
template <class K, class V>
using Shipped = typename cub::detail::radix::policy_hub<K, LibraryValue<V>, LibraryOffset>::MaxPolicy;
/// Policies with another digit width.
template <int bits>
using OneSweep = typename cub_radix_policy::Hub<std::uint32_t, cub::NullType, LibraryOffset, bits,
                                                cub_radix_policy::Form::onesweep>::MaxPolicy;

void add_probes(Rounds& rounds, DeviceBench& bench) {
  declare_alone(rounds, kRank, {"digit_bits", "key_bytes", "value_bytes"});
  rounds.declare(tile_table(kRank), "cycles/element",
                 "MB8: a tile of CUB's OneSweep from registers: digits of 2^entropy values ranked, keys and values "
                 "exchanged in shared memory, output positions computed; no look-back",
                 {"digit_bits", "key_bytes", "value_bytes", "entropy"});
  for_tile_types([&]<class K, class V>() {
    add_onesweep_rank<Shipped<K, V>, K, V>(rounds, bench, kRank, 8, point(8, sizeof(K), kTileValueBytes<V>));
  });
  declare_alone(rounds, kCount, {"digit_bits", "passes", "key_bytes"});
  rounds.declare(tile_table(kCount), "cycles/element",
                 "MB8: CUB's histogram of all digits of keys from registers; digits of 2^entropy values",
                 {"digit_bits", "passes", "key_bytes", "entropy"});
  add_count<Shipped<std::uint32_t, NoValue>, std::uint32_t>(rounds, bench, 8);
  add_count<Shipped<std::uint64_t, NoValue>, std::uint64_t>(rounds, bench, 8);
  const auto add_width = [&]<int bits>() {
    add_onesweep_rank<OneSweep<bits>, std::uint32_t, NoValue>(rounds, bench, kRank, bits, point(bits, 4, 0));
    add_count<OneSweep<bits>, std::uint32_t>(rounds, bench, bits);
  };
  add_width.template operator()<5>();
  add_width.template operator()<6>();
  add_width.template operator()<7>();
}

const RegisterProbe registered{DeviceProbe{"cub_radix", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
