// CUB's radix sort in one sweep a pass, with other tiles than the toolkit ships.
#include <fmt/format.h>

#include <algorithm>

#include "algorithms/cub_radix/plan.hpp"
#include "algorithms/cub_radix_tuned/plan.hpp"
#include "models/kernels/device_model.hpp"
#include "models/kernels/onesweep.hpp"

namespace sortlab {
namespace {

class CubRadixTuned final : public DeviceModel {
 public:
  explicit CubRadixTuned(Level level)
      : DeviceModel(level, {.name = "cub_radix_tuned",
                            .title = "the same with other tiles",
                            .source = "this project, after Adinets and Merrill 2022 and CUB's sources",
                            .algorithms = {"cub_radix_tuned"},
                            .kind = ModelKind::hardware,
                            .family = "A, one sweep a pass",
                            .device_basis = {.cub = "3.0"}}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    const int threads = std::stoi(workload.parameters.word("threads"));
    const auto items = static_cast<int>(workload.parameters.integer("items"));
    const ElementBytes bytes = element_bytes(workload);
    const std::vector<double> at{static_cast<double>(threads), static_cast<double>(items), bytes.key, bytes.value};
    if (workload.parameters.word("rank") != cub_tuned::rank_name(cub_tuned::Setting{}.rank) || !measured(profile, at)) {
      throw BadInput(fmt::format("{}: {} x {} with rank={} was not calibrated, only what `auto` stands for is",
                                 workload.algorithm, threads, items, workload.parameters.word("rank")));
    }
    const OneSweep sort = make_onesweep(cub_onesweep::launches(byte_size(workload.key), byte_size(workload.value),
                                                               cub_onesweep::kDigitBits, threads, items),
                                        "rank_match_tuned", at);
    return onesweep(workload, sort, view, {profile, level(), workload.algorithm, "", bytes});
  }

 private:
  static bool measured(const MachineProfile& profile, const std::vector<double>& at) {
    const auto alone = profile.tables.find("alone.rank_match_tuned");
    return alone != profile.tables.end() &&
           std::ranges::any_of(alone->second.points, [&](const auto& point) { return point.at == at; });
  }
};

const RegisterLevels<CubRadixTuned> registered;

}  // namespace
}  // namespace sortlab
