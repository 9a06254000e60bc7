// Models of multisplit_radix. Each pass counts the buckets of every tile, scans the
// counters, then orders tiles by bucket and writes their runs (with level=warp, of tiles of a warp).
#include <fmt/format.h>

#include "algorithms/multisplit_radix/plan.hpp"
#include "models/cost.hpp"
#include "models/kernels/device_model.hpp"
#include "models/kernels/tiled_passes.hpp"

namespace sortlab {
namespace {

using multisplit::Counters;
using multisplit::Digits;
using multisplit::kCounterBytes;
using multisplit::kOffsetBytes;
using multisplit::Shape;

class MultisplitRadix final : public DeviceModel {
 public:
  MultisplitRadix()
      : DeviceModel(Level::tiles, {.name = "multisplit_radix",
                                   .title = "radix sort on GPU Multisplit, kernel by kernel",
                                   .source = "this project, after Ashkiani et al., TOPC 2017",
                                   .algorithms = {"multisplit_radix"},
                                   .kind = ModelKind::component,
                                   .family = "B, two reads a pass"}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    if (workload.n < 2) return {};
    const ElementBytes bytes = element_bytes(workload);
    const Setting setting = calibrated_setting(workload, bytes);
    const Shape& shape = setting.shape;
    const Digits plan{.key_bits = 8 * static_cast<int>(bytes.key), .digit_bits = setting.digit_bits};
    const DeviceCosts device{profile, level(), workload.algorithm, "", bytes};
    const auto n = static_cast<double>(workload.n);
    const double tile = shape.tile();
    const double blocks = count_blocks(count_blocks(n, tile), shape.tiles_per_block());

    std::vector<PhasePrediction> phases;
    for (const TiledPass& pass : tiled_passes(plan, n, bytes, tile, view)) {
      const std::vector<double> kernel{shape.level == multisplit::Level::warp ? 1.0 : 0.0,
                                       shape.counters == Counters::shared ? 1.0 : 0.0,
                                       static_cast<double>(shape.threads),
                                       static_cast<double>(shape.items),
                                       static_cast<double>(pass.bits),
                                       bytes.key};
      const auto work = [&](const char* phase, const std::string& table, const std::vector<double>& at) {
        TileWork of_tile = device.tile(phase, table, at, pass.digits.entropy);
        of_tile.resident = static_cast<int>(profile.at("resident." + table, at));
        return of_tile;
      };
      phases.push_back(device.kernel({.phase = "histogram",
                                      .pass = pass.pass,
                                      .tiles = blocks,
                                      .elements = n,
                                      .round_trips = multisplit::histogram_batches(shape, static_cast<int>(bytes.key)),
                                      .traffic = counting_traffic(pass, n, bytes, kCounterBytes),
                                      .tile = work("histogram", "multisplit_histogram", kernel)}));
      phases.push_back(device.scan("scan", pass.pass, pass.counters));
      std::vector<double> pairs = kernel;
      pairs.push_back(bytes.value);
      phases.push_back(
          device.kernel({.phase = "scatter",
                         .pass = pass.pass,
                         .tiles = blocks,
                         .elements = n,
                         .round_trips = bytes.value > 0 ? 2 : 1,  // values follow when the keys' places are known
                         .traffic = scatter_traffic(pass, n, bytes, tile, kOffsetBytes),
                         .tile = work("scatter", "multisplit_scatter", pairs)}));
    }
    return sequence(std::move(phases));
  }

 private:
  struct Setting {
    Shape shape;
    int digit_bits;
  };

  /// The variant of the parameters; without any the tuned one. Throws BadInput for one whose kernels are not
  /// calibrated.
  static Setting calibrated_setting(const Workload& workload, const ElementBytes& bytes) {
    const Parameters& parameters = workload.parameters;
    const auto key_bytes = static_cast<std::uint32_t>(bytes.key);
    if (parameters.all().empty()) return {multisplit::kTuned, multisplit::kMaxDigitBits};
    const Setting setting{.shape = {.level = chosen("level", parameters.word("level"), multisplit::kLevels),
                                    .counters = chosen("counters", parameters.word("counters"), multisplit::kCounters),
                                    .threads = static_cast<int>(parameters.integer("threads")),
                                    .items = static_cast<int>(parameters.integer("items"))},
                          .digit_bits = static_cast<int>(parameters.integer("digit_bits"))};
    bool is_calibrated = false;
    multisplit::for_calibrated(key_bytes, [&](const Shape& shape, int digit_bits) {
      is_calibrated |= shape == setting.shape && digit_bits == setting.digit_bits;
    });
    if (is_calibrated) return setting;
    throw BadInput(fmt::format("{}: the presets paper, paper_warp and tuned are calibrated, not other tiles or digits",
                               workload.algorithm));
  }
};

const RegisterModel registered{std::make_unique<MultisplitRadix>()};

}  // namespace
}  // namespace sortlab
