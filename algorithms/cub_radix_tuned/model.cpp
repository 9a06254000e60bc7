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
    const double threads = std::stod(workload.parameters.word("threads"));
    const auto items = static_cast<double>(workload.parameters.integer("items"));
    const ElementBytes bytes = element_bytes(workload);
    const std::vector<double> at{threads, items, bytes.key, bytes.value};
    if (workload.parameters.word("rank") != cub_tuned::rank_name(cub_tuned::Setting{}.rank) || !measured(profile, at)) {
      throw BadInput(fmt::format("{}: {} x {} with rank={} was not calibrated, only what `auto` stands for is",
                                 workload.algorithm, threads, items, workload.parameters.word("rank")));
    }
    const std::size_t key = byte_size(workload.key), value = byte_size(workload.value);
    const auto tile = static_cast<std::uint64_t>(threads * items);
    const OneSweep sort{.digits = cub_onesweep::lsd_digits(static_cast<int>(key), cub_onesweep::kDigitBits),
                        .tile = static_cast<double>(tile),
                        .items = items,
                        .histogram_tile = cub_onesweep::kHistogramTile,
                        .look_back_bytes = cub_onesweep::kLookBackBytes,
                        .portion = cub_onesweep::portion_elements(tile),
                        .single_tile = cub_onesweep::single_tile(key, value),
                        .table = "rank_match_tuned",
                        .at = at};
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
