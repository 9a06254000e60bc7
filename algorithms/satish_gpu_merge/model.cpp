// Family F for satish_gpu_merge: tiles are sorted, then each level partitions the merge of two runs by binary searches
// in memory, and merges the pieces.
#include <cmath>

#include "algorithms/satish_gpu_merge/plan.hpp"
#include "models/cost.hpp"
#include "models/kernels/device_model.hpp"

namespace sortlab {
namespace {

class SatishGpuMerge final : public DeviceModel {
 public:
  explicit SatishGpuMerge(Level level)
      : DeviceModel(level, {.name = "satish_gpu_merge",
                            .title = "merge sort on a device, kernel by kernel",
                            .source = "this project, after IPDPS 2009, section 5, and Satish et al. 2010, section 3.1",
                            .algorithms = {"satish_gpu_merge"},
                            .kind = ModelKind::hardware,
                            .family = "F, merging on a device"}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    if (workload.n == 0) return {};
    const ElementBytes bytes = element_bytes(workload);
    const std::string& merge = workload.parameters.word("merge");
    const gpu_merge::Method method = chosen("merge", merge, gpu_merge::kMethods);
    const bool splitters = gpu_merge::by_splitters(method);
    if (bytes.value > 0 && workload.parameters.word("values") == "gathered") {
      throw BadInput("satish_gpu_merge: values=gathered is not modelled");
    }
    const DeviceCosts device{profile, level(), workload.algorithm, "merge=" + merge, bytes};
    const auto n = static_cast<double>(workload.n);
    const gpu_merge::Shape shape = gpu_merge::make_shape(
        method, workload.parameters.integer("tile"), workload.parameters.integer("threads"), byte_size(workload.key));
    const double tile = shape.tile;
    const double items = tile / shape.threads;  // elements of a thread
    const double tiles = count_blocks(n, tile);

    const Traffic whole{.read = n * bytes.both(),
                        .written = n * bytes.both(),
                        .working_set = 2 * n * bytes.both(),
                        .access = bytes.key};
    const std::vector<double> sizes{bytes.key, bytes.value};
    const double sorted = sortedness(view);
    Traffic cold = whole;
    cold.working_set = kBeyondCaches;
    std::vector<PhasePrediction> phases{
        device.kernel({.phase = "sort tiles",
                       .tiles = tiles,
                       .elements = n,
                       .chained = splitters ? 0 : chained_merge_sort(shape.threads, items),
                       .traffic = cold,
                       .tile = splitters ? device.tile("sort tiles", "network", sizes, sorted, kMixed)
                                         : device.tile("sort tiles", "path_sort", sizes)})};
    for (int level = 0; level < gpu_merge::levels(workload.n, shape.tile); ++level) {
      const double run = std::ldexp(tile, level);
      phases.push_back(
          device.searches("find cuts", level, splitters ? "splitters" : "path", tiles, run, n * bytes.key));
      phases.push_back(device.kernel({.phase = "merge",
                                      .pass = level,
                                      .tiles = tiles,
                                      .elements = n,
                                      .round_trips = bytes.value == 0 ? 2 : 3,  // cuts, keys, values
                                      .chained = chained_accesses(shape),
                                      .traffic = whole,
                                      .tile = device.tile("merge", "merge_" + merge, sizes, sorted, kMixed)}));
    }
    return sequence(std::move(phases));
  }

 private:
  /// Dependent accesses of a thread to shared memory in the merge of a piece.
  static double chained_accesses(const gpu_merge::Shape& shape) {
    switch (shape.method) {
      case gpu_merge::Method::ranks: return std::log2(shape.tile);                         // rounds of a search
      case gpu_merge::Method::bitonic: return std::log2(gpu_merge::largest_piece(shape));  // steps of the network
      case gpu_merge::Method::path: break;
    }
    return chained_merge(shape.tile, static_cast<double>(shape.tile) / shape.threads);
  }
};

const RegisterLevels<SatishGpuMerge> registered;

}  // namespace
}  // namespace sortlab
