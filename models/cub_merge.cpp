// Family F of the reference (section 4.5) for CUB's merge sort: blocks sort tiles, then each level partitions the pairs
// of runs by searches in memory and merges tile by tile.
#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/device_kernel.hpp"

namespace sortlab {
namespace {

constexpr double kPartitionThreads = 256;
constexpr double kPartitionBytes = 8;
constexpr double kSector = 32;  // bytes that come from memory at least

class CubMerge final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "cub_merge",
                                .title = "CUB's merge sort, kernel by kernel (family F)",
                                .source = "this project, after CUB's sources",
                                .algorithms = {"cub_merge"},
                                .analytical = true,
                                .level = "B"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& device) const override {
    if (workload.n == 0) return {};
    const ElementBytes bytes = element_bytes(workload);
    const auto n = static_cast<double>(workload.n);
    const double tile = 256 * std::floor(17 * 4 / bytes.key);  // of CUB's policy: words of 4 bytes a thread
    const double tiles = blocks_of(n, tile);
    const double sorted = std::max(0.0, 1 - 2 * view.descents());
    Traffic whole{.read = n * bytes.both(),
                  .written = n * bytes.both(),
                  .working_set = 2 * n * bytes.both(),
                  .access = bytes.key};
    Traffic cold = whole;
    cold.working_set = 1e12;

    std::vector<PhasePrediction> phases{kernel({.phase = "sort tiles",
                                                .blocks = tiles,
                                                .elements = n,
                                                .traffic = cold,
                                                .tile = {device.at("tile.merge_sort", {bytes.key, bytes.value}),
                                                         device.at("alone.merge_sort", {bytes.key, bytes.value})}},
                                               device)};
    int level = 0;
    for (double run = tile; run < n; run *= 2, ++level) {
      phases.push_back(
          kernel({.phase = "partition",
                  .pass = level,
                  .blocks = blocks_of(tiles + 1, kPartitionThreads),
                  .elements = tiles,
                  .waiting = std::max(0.0, device.at("search", {run * bytes.key}) - device.at("launch_dependent")),
                  .traffic = {.read = 2 * kSector * tiles * std::log2(run),
                              .written = tiles * kPartitionBytes,
                              .working_set = n * bytes.both()}},
                 device));
      phases.push_back(kernel({.phase = "merge",
                               .pass = level,
                               .blocks = tiles,
                               .elements = n,
                               .round_trips = 2,
                               .traffic = whole,
                               .tile = {device.at("tile.merge", {bytes.key, bytes.value, sorted}),
                                        device.at("alone.merge", {bytes.key, bytes.value})}},
                              device));
    }
    return sequence(std::move(phases));
  }
};

const RegisterModel registered{std::make_unique<CubMerge>()};

}  // namespace
}  // namespace sortlab
