// Models of satish_split_radix_2009, the form of IPDPS 2009: tiles are sorted and
// written back, searched for the starts of digits, and read once more to be scattered: a pass moves five times the
// input's bytes, where later sorts move three.
#include <fmt/format.h>

#include "algorithms/satish_split_radix_2009/plan.hpp"
#include "models/cost.hpp"
#include "models/kernels/device_model.hpp"
#include "models/kernels/tiled_passes.hpp"

namespace sortlab {
namespace {

using split_radix_2009::kCounterBytes;
using split_radix_2009::kOffsetBytes;
using split_radix_2009::kPaper;
using split_radix_2009::kStartBytes;
using split_radix_2009::kTuned;
using split_radix_2009::Setting;

class SatishSplitRadix2009 final : public DeviceModel {
 public:
  explicit SatishSplitRadix2009(Level level)
      : DeviceModel(level, {.name = "satish_split_radix_2009",
                            .title = "split radix sort of 2009 on a device, kernel by kernel",
                            .source = "this project, after Satish, Harris and Garland, IPDPS 2009, section 4",
                            .algorithms = {"satish_split_radix_2009"},
                            .kind = ModelKind::hardware,
                            .family = "B, two reads a pass"}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    if (workload.n < 2) return {};
    const ElementBytes bytes = element_bytes(workload);
    const auto n = static_cast<double>(workload.n);
    const Setting setting{.digit_bits = static_cast<int>(workload.parameters.integer("digit_bits")),
                          .threads = static_cast<int>(workload.parameters.integer("threads")),
                          .items = static_cast<int>(workload.parameters.integer("items"))};
    if (setting != kPaper && setting != kTuned) {
      throw BadInput(fmt::format("satish_split_radix_2009: tiles of {} and of {} are calibrated", describe(kPaper),
                                 describe(kTuned)));
    }
    const DeviceCosts device{profile, level(), workload.algorithm, describe(setting), bytes};
    const std::string preset = setting == kPaper ? "" : "_tuned";  // suffix of the tables
    const LsdDigits plan = split_radix_2009::lsd_digits(static_cast<int>(bytes.key), setting.digit_bits);
    const double tile = setting.tile();
    const double tiles = count_blocks(n, tile);

    std::vector<PhasePrediction> phases;
    for (const TiledPass& pass : tiled_passes(plan, n, bytes, tile, view)) {
      if (pass.bits != setting.digit_bits) {
        throw BadInput(fmt::format("satish_split_radix_2009: a pass of {} bits is not calibrated", pass.bits));
      }
      const auto add = [&](const char* phase, int round_trips, const Traffic& traffic, const TileWork& work) {
        phases.push_back(device.kernel({.phase = phase,
                                        .pass = pass.pass,
                                        .tiles = tiles,
                                        .elements = n,
                                        .round_trips = round_trips,
                                        .traffic = traffic,
                                        .tile = work}));
      };
      add("sort tiles", 1,
          {.read = n * bytes.both(), .written = n * bytes.both(), .working_set = pass.working_set, .access = bytes.key},
          device.tile("sort tiles", "split_2009" + preset, {bytes.key, bytes.value}, pass.digits.entropy));
      add("find offsets", 1,
          {.read = n * bytes.key,
           .written = pass.counters * (kStartBytes + kCounterBytes),
           .working_set = pass.arrays,
           .access = bytes.key},
          device.tile("find offsets", "find_offsets" + preset, {bytes.key}, pass.digits.entropy));
      phases.push_back(device.scan("scan", pass.pass, pass.counters));
      add("scatter", 2, scatter_traffic(pass, n, bytes, tile, kOffsetBytes + kStartBytes),
          device.tile("scatter", "scatter_runs" + preset, {bytes.key, bytes.value}));
    }
    return sequence(std::move(phases));
  }

 private:
  /// As operations were counted for.
  static std::string describe(const Setting& setting) {
    return fmt::format("digit_bits={} items={} threads={}", setting.digit_bits, setting.items, setting.threads);
  }
};

const RegisterLevels<SatishSplitRadix2009> registered;

}  // namespace
}  // namespace sortlab
