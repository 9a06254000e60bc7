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
    const ElementBytes bytes = element_bytes(workload);
    const OneSweep sort = make_onesweep(
        cub_onesweep::launches(byte_size(workload.key), byte_size(workload.value), cub_onesweep::kDigitBits),
        "rank_match", {cub_onesweep::kDigitBits, bytes.key, bytes.value});
    return onesweep(workload, sort, view, {profile, level(), "cub_radix", "", bytes});
  }
};

const RegisterLevels<CubRadix> registered;

}  // namespace
}  // namespace sortlab
