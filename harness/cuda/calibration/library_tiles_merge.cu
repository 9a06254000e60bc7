#include "harness/cuda/calibration/library_tiles_merge.cuh"
#include "harness/cuda/calibration/probes.hpp"
#include "harness/cuda/calibration/tile_probe.hpp"
#include "harness/cuda/calibration/two_runs.hpp"

namespace sortlab::calibration {
namespace {

template <class K, class V>
void add_merge_sort(Rounds& rounds, DeviceBench& bench) {
  using Policy = MergePolicy<K>;
  const auto kernel = merge_sort_tile<K, LibraryValue<V>>;
  const int tiles = kWaves * bench.multiprocessors * bench.resident_blocks(kernel, Policy::BLOCK_THREADS);
  rounds.add("tile.merge_sort", point(sizeof(K), kTileValueBytes<V>), [=, &bench] {
    return cycles_an_element(bench, std::int64_t{tiles} * Policy::ITEMS_PER_TILE, [&](cudaStream_t stream) {
      kernel<<<tiles, Policy::BLOCK_THREADS, 0, stream>>>(static_cast<K>(~K{0}), out_of(bench));
    });
  });
}

template <class K, class V>
void add_merge(Rounds& rounds, DeviceBench& bench, bool in_order) {
  using Policy = MergePolicy<K>;
  const auto kernel = merge_tile<K, LibraryValue<V>>;
  const int tiles = kWaves * bench.multiprocessors * bench.resident_blocks(kernel, Policy::BLOCK_THREADS);
  const auto runs = std::make_shared<TwoRuns<K>>(Policy::ITEMS_PER_TILE, in_order);
  const auto partitions =
      std::make_shared<DeviceMemory>(on_device(std::vector<std::uint64_t>{0, runs->firsts()[Policy::ITEMS_PER_TILE]}));
  const auto* const values = reinterpret_cast<const LibraryValue<V>*>(bench.words());
  rounds.add("tile.merge", point(sizeof(K), kTileValueBytes<V>, in_order), [=, &bench] {
    return cycles_an_element(bench, std::int64_t{tiles} * Policy::ITEMS_PER_TILE, [&](cudaStream_t stream) {
      kernel<<<tiles, Policy::BLOCK_THREADS, 0, stream>>>(runs->words(), values,
                                                          partitions->template data<std::uint64_t>(), out_of(bench));
    });
  });
}

}  // namespace

void add_library_merge_probes(Rounds& rounds, DeviceBench& bench) {
  rounds.declare("tile.merge_sort", "cycles/element",
                 "MB8: a tile of CUB's merge sort, sorted from registers; words are random",
                 {"key_bytes", "value_bytes"});
  rounds.declare(
      "tile.merge", "cycles/element",
      "MB8: a tile of two runs in the first-level cache, merged by CUB's merge sort; sorted: 1 where the runs "
      "follow each other, 0 where their words are mixed at random",
      {"key_bytes", "value_bytes", "sorted"});
  for_tile_types([&]<class K, class V>() {
    add_merge_sort<K, V>(rounds, bench);
    for (const bool in_order : {false, true}) add_merge<K, V>(rounds, bench, in_order);
  });
}

}  // namespace sortlab::calibration
