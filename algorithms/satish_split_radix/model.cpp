// Models of satish_split_radix. Each pass counts the digits of every tile, scans the
// counters, then sorts tiles by 1-bit splits, or appends them to buffers, and writes their runs.
#include "algorithms/satish_split_radix/plan.hpp"
#include "models/cost.hpp"
#include "models/kernels/device_model.hpp"
#include "models/kernels/tiled_passes.hpp"

namespace sortlab {
namespace {

using split_radix::kCounterBytes;
using split_radix::kOffsetBytes;
using split_radix::Split;

class SatishSplitRadix final : public DeviceModel {
 public:
  explicit SatishSplitRadix(Level level)
      : DeviceModel(level, {.name = "satish_split_radix",
                            .title = "split radix sort on a device, kernel by kernel",
                            .source = "this project, after Satish et al. 2010, section 2.1",
                            .algorithms = {"satish_split_radix"},
                            .kind = ModelKind::hardware,
                            .family = "B, two reads a pass"}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    if (workload.n < 2) return {};
    const ElementBytes bytes = element_bytes(workload);
    const auto n = static_cast<double>(workload.n);
    const std::string& split = workload.parameters.word("split");
    const DeviceCosts device{profile, level(), workload.algorithm, "split=" + split, bytes};
    const split_radix::Shape shape{.split = chosen("split", split, split_radix::kSplits),
                                   .items = static_cast<int>(workload.parameters.integer("items")),
                                   .warps = static_cast<int>(workload.parameters.integer("warps"))};
    const bool together = shape.split == Split::vertical;
    const bool buffers = shape.split == Split::buffers;
    // Warps with a tile each count by the same kernel, whose operations were counted with split=fused.
    const DeviceCosts counting{profile, level(), workload.algorithm, "split=" + (buffers ? "fused" : split), bytes};
    const double items = shape.items;
    const LsdDigits plan = split_radix::lsd_digits(static_cast<int>(bytes.key),
                                                   static_cast<int>(workload.parameters.integer("digit_bits")));
    const double block = shape.block();  // elements
    const double tile = shape.tile();    // elements that are sorted together

    std::vector<PhasePrediction> phases;
    for (const TiledPass& pass : tiled_passes(plan, n, bytes, tile, view)) {
      phases.push_back(device.kernel(
          {.phase = "histogram",
           .pass = pass.pass,
           .tiles = count_blocks(n, block),
           .elements = n,
           .round_trips = split_radix::batches(shape.items, static_cast<int>(bytes.key)),
           .traffic = counting_traffic(pass, n, bytes, kCounterBytes),
           .tile = counting.tile("histogram", "count_bytes", {together ? 1.0 : 0.0, items, bytes.key, bytes.value})}));
      phases.push_back(device.scan("scan", pass.pass, pass.counters));
      std::vector<double> at{static_cast<double>(pass.bits), items};
      if (together) at.push_back(split_radix::kWarp * shape.warps);
      at.insert(at.end(), {bytes.key, bytes.value});
      TileWork work = device.tile("scatter", "split_" + split, at, pass.digits.entropy);
      if (buffers) work.resident = static_cast<int>(profile.at("resident.split_buffers", at));
      phases.push_back(device.kernel({.phase = "scatter",
                                      .pass = pass.pass,
                                      .tiles = count_blocks(n, block),
                                      .elements = n,
                                      .round_trips = 2,
                                      .traffic = scatter_traffic(pass, n, bytes, tile, 2 * kOffsetBytes),
                                      .tile = work}));
    }
    return sequence(std::move(phases));
  }
};

const RegisterLevels<SatishSplitRadix> registered;

}  // namespace
}  // namespace sortlab
