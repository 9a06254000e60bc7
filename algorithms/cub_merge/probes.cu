#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/common/cuda/two_runs.hpp"
#include "algorithms/cub_merge/tile_probes.cuh"
#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {
namespace {

/// The kernels of the sort itself, for their occupancy.
template <class MaxPolicy, class K, class Value>
struct Kernels {
  static constexpr auto* sort =
      cub::detail::merge_sort::DeviceMergeSortBlockSortKernel<MaxPolicy, K*, Value*, K*, Value*, std::uint64_t,
                                                              LibraryLess, K, Value>;
  static constexpr auto* merge =
      cub::detail::merge_sort::DeviceMergeSortMergeKernel<MaxPolicy, K*, Value*, K*, Value*, std::uint64_t, LibraryLess,
                                                          K, Value>;
};

/// Input of merge_tile, for tiles of `tile` elements.
template <class K, class Value>
class CachedRuns {
 public:
  CachedRuns(DeviceBench& bench, std::uint32_t tile, bool in_order)
      : runs_(std::make_shared<TwoRuns<K>>(tile, in_order)),
        partitions_(std::make_shared<DeviceMemory>(on_device(std::vector<std::uint64_t>{0, runs_->firsts()[tile]}))),
        values_(reinterpret_cast<const Value*>(bench.words())) {}
  operator MergeTileInput<K, Value>() const {
    return {runs_->words(), values_, partitions_->template data<std::uint64_t>()};
  }

 private:
  std::shared_ptr<TwoRuns<K>> runs_;
  std::shared_ptr<DeviceMemory> partitions_;
  const Value* values_;
};

/// Adds a point for tiles of `kernel`, at the occupancy of `sorts_own`.
template <class Policy, class Kernel, class Own, class... Arguments>
void add_tiles(Rounds& rounds, DeviceBench& bench, const char* table, std::vector<double> at, bool is_alone,
               Kernel* kernel, Own* sorts_own, Arguments... arguments) {
  constexpr int threads = Policy::BLOCK_THREADS;
  const std::uint32_t bytes = bytes_to_hold(bench, kernel, threads, 0, bench.resident_blocks(sorts_own, threads));
  const int tiles = kWaves * bench.multiprocessors * bench.resident_blocks(kernel, threads, bytes);
  const auto launch = [=, &bench](cudaStream_t stream, unsigned blocks) {
    kernel<<<blocks, threads, bytes, stream>>>(arguments..., probe_output(bench));
  };
  if (is_alone) {
    add_alone(rounds, bench, table, std::move(at), threads, launch);
    return;
  }
  rounds.add(tile_table(table), std::move(at), [=, &bench] {
    return cycles_per_element(bench, std::int64_t{tiles} * Policy::ITEMS_PER_TILE,
                              [&](cudaStream_t stream) { launch(stream, static_cast<unsigned>(tiles)); });
  });
}

template <class K, class V>
void add_types(Rounds& rounds, DeviceBench& bench) {
  using Value = LibraryValue<V>;
  using MaxPolicy = typename cub::detail::merge_sort::policy_hub<K*>::MaxPolicy;
  using Own = Kernels<MaxPolicy, K, Value>;
  with_policy<MaxPolicy>([&]<class Policies>() {
    using Policy = typename Policies::MergeSortPolicy;
    const std::vector<double> at = point(sizeof(K), kTileValueBytes<V>);
    const CachedRuns<K, Value> mixed(bench, Policy::ITEMS_PER_TILE, false);
    for (const bool is_alone : {false, true}) {
      add_tiles<Policy>(rounds, bench, "merge_sort", at, is_alone, merge_sort_tile<Policy, K, Value>, Own::sort,
                        static_cast<K>(~K{0}));
    }
    add_tiles<Policy>(rounds, bench, "merge", at, true, merge_tile<Policy, K, Value>, Own::merge, mixed);
    for (const bool in_order : {false, true}) {
      add_tiles<Policy>(rounds, bench, "merge", point(at[0], at[1], in_order), false, merge_tile<Policy, K, Value>,
                        Own::merge, in_order ? CachedRuns<K, Value>(bench, Policy::ITEMS_PER_TILE, true) : mixed);
    }
  });
}

void add_probes(Rounds& rounds, DeviceBench& bench) {
  declare_alone(rounds, "merge_sort", {"key_bytes", "value_bytes"});
  declare_alone(rounds, "merge", {"key_bytes", "value_bytes"});
  rounds.declare("tile.merge_sort", "cycles/element",
                 "MB8: a tile of CUB's merge sort, sorted from registers; random words", {"key_bytes", "value_bytes"});
  rounds.declare(
      "tile.merge", "cycles/element",
      "MB8: a tile of two runs in the L1 cache, merged by CUB's merge sort; sorted: 1 if the runs follow each "
      "other, 0 if their words are interleaved at random",
      {"key_bytes", "value_bytes", "sorted"});
  for_tile_types([&]<class K, class V>() { add_types<K, V>(rounds, bench); });
}

const RegisterProbe registered{DeviceProbe{"cub_merge", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
