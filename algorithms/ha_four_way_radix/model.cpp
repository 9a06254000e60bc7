// Family C for ha_four_way_radix: one 2-bit split a pass, counted in four streams.
#include "algorithms/ha_four_way_radix/plan.hpp"
#include "models/kernels/counting_passes.hpp"
#include "models/kernels/device_model.hpp"

namespace sortlab {
namespace {

class HaFourWayRadix final : public DeviceModel {
 public:
  explicit HaFourWayRadix(Level level)
      : DeviceModel(level, {.name = "ha_four_way_radix",
                            .title = "four-way counting on a device, kernel by kernel",
                            .source = "this project, after Ha, Krueger and Silva 2010, section 2",
                            .algorithms = {"ha_four_way_radix"},
                            .kind = ModelKind::hardware,
                            .family = "C, implicit counting"}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    const ElementBytes bytes = element_bytes(workload);
    const std::string& presort = workload.parameters.word("presort");
    const bool wide = chosen("tile", workload.parameters.word("tile"), ha::four_way::kTiles);
    const CountingPasses sort{.digits = ha::lsd_digits(static_cast<int>(8 * bytes.key), ha::four_way::kDigitBits),
                              .tile = static_cast<double>(ha::four_way::tile_size(wide).elements()),
                              .wide = wide,
                              .stored = chosen("presort", presort, ha::kPresorts) == ha::Presort::stored,
                              .counter_bytes = ha::kCounterBytes,
                              .offset_bytes = ha::kOffsetBytes,
                              .ordering = "four_way",
                              .shuffle = "four_way_shuffle",
                              .count = "four_way_count"};
    return counting_passes(workload, sort, view, {profile, level(), workload.algorithm, "presort=" + presort, bytes});
  }
};

const RegisterLevels<HaFourWayRadix> registered;

}  // namespace
}  // namespace sortlab
