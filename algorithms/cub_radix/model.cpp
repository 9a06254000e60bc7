// CUB's radix sort: one read of the keys for the histograms of all digits, then one kernel per pass that ranks tiles,
// finds their digits' offsets by decoupled look-back, and scatters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/cub_radix/plan.hpp"
#include "algorithms/cub_radix_tuned/plan.hpp"
#include "models/cost.hpp"
#include "models/kernels/device_model.hpp"
#include "models/kernels/onesweep.hpp"

namespace sortlab {
namespace {

// A library reports no phases: they go by the names of its kernels, as in counts.
constexpr const char* kHistogram = "DeviceRadixSortHistogramKernel";
constexpr const char* kOneSweep = "DeviceRadixSortOnesweepKernel";

using cub_onesweep::kLookBackBytes;

std::size_t whole(double bytes) {
  return static_cast<std::size_t>(bytes);
}

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
    return onesweep(workload, shipped_onesweep(cub_onesweep::kDigitBits, bytes), view,
                    {profile, level(), "cub_radix", "", bytes});
  }
};

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
    const std::vector<double> tile{threads, items, bytes.key, bytes.value};
    if (workload.parameters.word("rank") != cub_tuned::rank_name(cub_tuned::Setting{}.rank) ||
        !measured(profile, tile)) {
      throw BadInput(fmt::format("{}: {} x {} with rank={} was not calibrated, only what `auto` stands for is",
                                 workload.algorithm, threads, items, workload.parameters.word("rank")));
    }
    return onesweep(workload,
                    {.digit_bits = cub_onesweep::kDigitBits,
                     .tile = threads * items,
                     .items = items,
                     .table = "rank_match_tuned",
                     .at = tile},
                    view, {profile, level(), workload.algorithm, "", bytes});
  }

 private:
  static bool measured(const MachineProfile& profile, const std::vector<double>& tile) {
    const auto alone = profile.tables.find("alone.rank_match_tuned");
    return alone != profile.tables.end() &&
           std::ranges::any_of(alone->second.points, [&](const auto& point) { return point.at == tile; });
  }
};

const RegisterLevels<CubRadix> registered;
const RegisterLevels<CubRadixTuned> registered_tuned;

}  // namespace

void require_tiles(const Workload& workload, const ElementBytes& bytes) {
  if (workload.n <= cub_onesweep::single_tile(whole(bytes.key), whole(bytes.value))) {
    throw BadInput(workload.algorithm + ": arrays that CUB sorts in one block are not modelled");
  }
}

OneSweep shipped_onesweep(int digit_bits, const ElementBytes& bytes) {
  return {.digit_bits = digit_bits,
          .tile = static_cast<double>(cub_onesweep::tile_elements(whole(bytes.key), whole(bytes.value))),
          .items = static_cast<double>(cub_onesweep::tile_items(whole(bytes.key), whole(bytes.value))),
          .table = "rank_match",
          .at = {static_cast<double>(digit_bits), bytes.key, bytes.value}};
}

Prediction onesweep(const Workload& workload, const OneSweep& sort, const DistributionView& view,
                    const DeviceCosts& device) {
  if (workload.n == 0) return {};
  const ElementBytes bytes = element_bytes(workload);
  const auto n = static_cast<double>(workload.n);
  const int digit_bits = sort.digit_bits;
  require_tiles(workload, bytes);
  const LsdDigits plan = cub_onesweep::lsd_digits(static_cast<int>(bytes.key), digit_bits);
  const int passes = plan.passes();
  const double arrays = 2 * n * bytes.both();
  const double digits = std::exp2(digit_bits);

  const auto width = static_cast<double>(digit_bits);
  std::vector<PhasePrediction> phases{device.fillings("memset", 0, 2)};
  const PassDigits lowest = pass_digits(view, true, 0, digit_bits, sort.tile);
  phases.push_back(device.kernel(
      {.phase = kHistogram,
       .tiles = blocks_of(n, cub_onesweep::kHistogramTile),
       .persistent = true,
       .elements = n,
       .round_trips = 2,
       .traffic = {.read = n * bytes.key, .working_set = kBeyondCaches, .access = bytes.key},
       .tile = device.tile(kHistogram, "histogram", {width, static_cast<double>(passes), bytes.key}, lowest.entropy)}));
  phases.push_back(device.kernel({.phase = "DeviceRadixSortExclusiveSumKernel",
                                  .tiles = static_cast<double>(passes),
                                  .elements = passes * digits,
                                  .traffic = {.read = passes * digits * 8, .written = passes * digits * 8}}));
  const auto portion = static_cast<double>(cub_onesweep::portion_elements(static_cast<std::uint64_t>(sort.tile)));
  int launch = 0;  // what stands for the pass, as in counts
  for (int pass = 0; pass < passes; ++pass) {
    const int bits = plan.bits(pass);
    const PassDigits met = pass_digits(view, pass == 0, plan.shift(pass), bits, sort.tile);
    for (double done = 0; done < n; done += portion, ++launch) {
      const double part = std::min(portion, n - done);
      const double tiles = blocks_of(part, sort.tile);
      std::vector<double> at = sort.at;
      if (bits < digit_bits) at.front() = bits;  // what is left at the top
      const TileWork tile = device.tile(kOneSweep, sort.table, at, met.entropy);
      const double at_once = std::min(tiles, static_cast<double>(tile.resident) * device.profile().cores);
      phases.push_back(device.fillings("memset", launch, 1));
      phases.push_back(device.kernel({.phase = kOneSweep,
                                      .pass = launch,
                                      .tiles = tiles,
                                      .elements = part,
                                      .round_trips = 3,           // the tile's number, its keys, the first look back
                                      .chained = 2 * sort.items,  // its digit's counter, and the leader's result
                                      .waiting = device.look_back(at_once),
                                      .traffic = {.read = part * bytes.both() + tiles * digits * kLookBackBytes,
                                                  .written = part * bytes.both() + 2 * tiles * digits * kLookBackBytes,
                                                  .working_set = arrays,
                                                  .access = bytes.key,
                                                  .runs = met.distinct,
                                                  .run_bytes = sort.tile / met.distinct * bytes.key},
                                      .tile = tile}));
    }
  }
  return sequence(std::move(phases));
}

}  // namespace sortlab
