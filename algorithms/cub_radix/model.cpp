// CUB's radix sort in one sweep a pass, with the tiles that the toolkit ships.
#include "algorithms/cub_radix/plan.hpp"
#include "models/kernels/device_model.hpp"
#include "models/kernels/onesweep.hpp"

namespace sortlab {
namespace {

class CubRadix final : public DeviceModel {
 public:
  explicit CubRadix(Level level)
      : DeviceModel(level, {.name = "cub_radix",
                            .title = "one-sweep radix sort on a device, kernel by kernel",
                            .source = "this project, after Adinets and Merrill 2022 and CUB's sources",
                            .algorithms = {"cub_radix", "thrust_sort", "thrust_stable_sort"},
                            .kind = ModelKind::hardware,
                            .family = "A, one sweep a pass",
                            .device_basis = {.cub = "3.0"}}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    const std::size_t key = byte_size(workload.key), value = byte_size(workload.value);
    const ElementBytes bytes = element_bytes(workload);
    const auto tile = static_cast<std::uint64_t>(cub_onesweep::tile_elements(key, value));
    const OneSweep sort{.digits = cub_onesweep::lsd_digits(static_cast<int>(key), cub_onesweep::kDigitBits),
                        .tile = static_cast<double>(tile),
                        .items = static_cast<double>(cub_onesweep::tile_items(key, value)),
                        .histogram_tile = cub_onesweep::kHistogramTile,
                        .look_back_bytes = cub_onesweep::kLookBackBytes,
                        .portion = cub_onesweep::portion_elements(tile),
                        .single_tile = cub_onesweep::single_tile(key, value),
                        .table = "rank_match",
                        .at = {cub_onesweep::kDigitBits, bytes.key, bytes.value}};
    return onesweep(workload, sort, view, {profile, level(), "cub_radix", "", bytes});
  }
};

const RegisterLevels<CubRadix> registered;

}  // namespace
}  // namespace sortlab
