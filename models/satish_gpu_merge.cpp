// Family F of the reference (section 4.5) for satish_gpu_merge: tiles are sorted, then each level finds where the merge
// of two runs may be cut, by binary searches in memory, and merges the pieces.
#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/device_kernel.hpp"

namespace sortlab {
namespace {

constexpr double kCutBytes = 16;
constexpr double kCutThreads = 256;
constexpr double kSector = 32;  // bytes that come from memory at least

class SatishGpuMerge final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "satish_gpu_merge",
                                .title = "merge sort on a device, kernel by kernel (family F)",
                                .source = "this project, after Satish, Harris and Garland, IPDPS 2009, section 5",
                                .algorithms = {"satish_gpu_merge"},
                                .analytical = true,
                                .level = "B"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& device) const override {
    if (workload.n == 0) return {};
    const ElementBytes bytes = element_bytes(workload);
    const bool ranks = workload.parameters.word("merge") == "ranks";
    if (bytes.value > 0 && workload.parameters.word("values") == "gathered") {
      throw BadInput("satish_gpu_merge: values=gathered is not modelled");
    }
    const auto n = static_cast<double>(workload.n);
    const double tile = ranks ? static_cast<double>(workload.parameters.integer("tile"))
                              : static_cast<double>(workload.parameters.integer("threads")) * items(bytes);
    const double tiles = blocks_of(n, tile);
    const double sorted = std::max(0.0, 1 - 2 * view.descents());

    const Traffic whole{.read = n * bytes.both(),
                        .written = n * bytes.both(),
                        .working_set = 2 * n * bytes.both(),
                        .access = bytes.key};
    Traffic cold = whole;
    cold.working_set = 1e12;
    std::vector<PhasePrediction> phases{
        kernel({.phase = "sort tiles",
                .blocks = tiles,
                .elements = n,
                .traffic = cold,
                .tile = {device.at(ranks ? "tile.network" : "tile.path_sort", {bytes.key, bytes.value}),
                         device.at(ranks ? "alone.network" : "alone.path_sort", {bytes.key, bytes.value})}},
               device)};
    int level = 0;
    for (double run = tile; run < n; run *= 2, ++level) {
      phases.push_back(cuts(level, tiles, run, n, bytes, device));
      TileWork work;
      if (ranks) {
        work = {device.at("tile.merge_ranks", {bytes.key, bytes.value}),
                device.at("alone.merge_ranks", {bytes.key, bytes.value})};
      } else {
        work = {device.at("tile.merge_path", {bytes.key, bytes.value, sorted}),
                device.at("alone.merge_path", {bytes.key, bytes.value})};
      }
      phases.push_back(kernel({.phase = "merge",
                               .pass = level,
                               .blocks = tiles,
                               .elements = n,
                               .round_trips = 2,
                               .traffic = whole,
                               .tile = work},
                              device));
    }
    return sequence(std::move(phases));
  }

 private:
  static double items(const ElementBytes& bytes) { return bytes.key == 4 ? 17 : 11; }

  /// A search a tile, as many dependent accesses as the run has halvings.
  static PhasePrediction cuts(int level, double tiles, double run, double n, const ElementBytes& bytes,
                              const MachineProfile& device) {
    const double halvings = std::log2(run);
    return kernel({.phase = "find cuts",
                   .pass = level,
                   .blocks = blocks_of(tiles, kCutThreads),
                   .elements = tiles,
                   .waiting = std::max(0.0, device.at("search", {run * bytes.key}) - device.at("launch_dependent")),
                   .traffic = {.read = kSector * tiles * halvings,
                               .written = tiles * kCutBytes,
                               .working_set = n * bytes.both()}},
                  device);
  }
};

const RegisterModel registered{std::make_unique<SatishGpuMerge>()};

}  // namespace
}  // namespace sortlab
