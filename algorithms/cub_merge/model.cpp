// Family F for CUB's merge sort: blocks sort tiles, then each level partitions the pairs of runs by searches in memory
// and merges tile by tile.
#include <cmath>

#include "algorithms/cub_merge/plan.hpp"
#include "models/cost.hpp"
#include "models/kernels/device_model.hpp"

namespace sortlab {
namespace {

// A library reports no phases: they go by the names of its kernels, as in counts.
constexpr const char* kSort = "DeviceMergeSortBlockSortKernel";
constexpr const char* kMerge = "DeviceMergeSortMergeKernel";

class CubMerge final : public DeviceModel {
 public:
  explicit CubMerge(Level level)
      : DeviceModel(level, {.name = "cub_merge",
                            .title = "CUB's merge sort, kernel by kernel",
                            .source = "this project, after CUB's sources",
                            .algorithms = {"cub_merge"},
                            .kind = ModelKind::hardware,
                            .family = "F, merging on a device",
                            .device_basis = {.cub = "3.0"}}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    if (workload.n == 0) return {};
    const ElementBytes bytes = element_bytes(workload);
    const DeviceCosts device{profile, level(), workload.algorithm, "", bytes};
    const auto n = static_cast<double>(workload.n);
    const std::uint64_t elements = cub_merge_sort::tile_elements(byte_size(workload.key));
    const auto tile = static_cast<double>(elements);
    constexpr double threads = cub_merge_sort::kThreads;
    const double tiles = count_blocks(n, tile);
    Traffic whole{.read = n * bytes.both(),
                  .written = n * bytes.both(),
                  .working_set = 2 * n * bytes.both(),
                  .access = bytes.key};
    Traffic cold = whole;
    cold.working_set = kBeyondCaches;

    std::vector<PhasePrediction> phases{
        device.kernel({.phase = kSort,
                       .tiles = tiles,
                       .elements = n,
                       .chained = chained_merge_sort(threads, tile / threads),
                       .traffic = cold,
                       .tile = device.tile(kSort, "merge_sort", {bytes.key, bytes.value})})};
    const double sorted = sortedness(view);
    for (int level = 0; level < cub_merge_sort::levels(workload.n, elements); ++level) {
      const double run = std::ldexp(tile, level);
      phases.push_back(device.searches("DeviceMergeSortPartitionKernel", level, "path", tiles, run, n * bytes.key));
      phases.push_back(device.kernel({.phase = kMerge,
                                      .pass = level,
                                      .tiles = tiles,
                                      .elements = n,
                                      .round_trips = 2,
                                      .chained = chained_merge(tile, tile / threads),
                                      .traffic = whole,
                                      .tile = device.tile(kMerge, "merge", {bytes.key, bytes.value}, sorted, kMixed)}));
    }
    return sequence(std::move(phases));
  }
};

const RegisterLevels<CubMerge> registered;

}  // namespace
}  // namespace sortlab
