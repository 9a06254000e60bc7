// CUB's radix sort with narrower digits: in one sweep (family A), or in its older form that reads the keys twice per
// pass: an upsweep counts, one block scans, a downsweep ranks and scatters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/cub_radix/plan.hpp"
#include "algorithms/cub_radix_lsd/plan.hpp"
#include "models/cost.hpp"
#include "models/kernels/device_model.hpp"
#include "models/kernels/onesweep.hpp"

namespace sortlab {
namespace {

// A library reports no phases: they go by the names of its kernels, as in counts.
constexpr const char* kUpsweep = "DeviceRadixSortUpsweepKernel";
constexpr const char* kDownsweep = "DeviceRadixSortDownsweepKernel";

using cub_lsd::Form;
using cub_lsd::kCounterBytes;

class CubRadixLsd final : public DeviceModel {
 public:
  explicit CubRadixLsd(Level level)
      : DeviceModel(level, {.name = "cub_radix_lsd",
                            .title = "CUB's radix sort with narrower digits, kernel by kernel",
                            .source = "this project, after Merrill and Grimshaw 2011 and CUB's sources",
                            .algorithms = {"cub_radix_lsd"},
                            .kind = ModelKind::hardware,
                            .family = "A and B, one sweep or two reads a pass",
                            .device_basis = {.cub = "3.0"}}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    const auto digit_bits = static_cast<int>(workload.parameters.integer("digit_bits"));
    const std::string& form = workload.parameters.word("form");
    const ElementBytes bytes = element_bytes(workload);
    if (chosen("form", form, cub_lsd::kForms) == Form::onesweep) {
      // With digits of 8 bits it is cub_radix; with narrower ones the same block does less.
      if (level() == Level::operations && digit_bits != cub_onesweep::kDigitBits) {
        throw BadInput(workload.algorithm + ": operations of form=onesweep were counted with digit_bits=8");
      }
      const OneSweep sort =
          make_onesweep(cub_onesweep::launches(byte_size(workload.key), byte_size(workload.value), digit_bits),
                        "rank_match", {static_cast<double>(digit_bits), bytes.key, bytes.value});
      return onesweep(workload, sort, view, {profile, level(), "cub_radix", "", bytes});
    }
    return two_reads(
        workload, digit_bits, view,
        {profile, level(), workload.algorithm, fmt::format("form={} digit_bits={}", form, digit_bits), bytes});
  }

 private:
  static Prediction two_reads(const Workload& workload, int digit_bits, const DistributionView& view,
                              const DeviceCosts& device) {
    if (workload.n == 0) return {};
    const ElementBytes bytes = element_bytes(workload);
    require_tiles(workload, cub_onesweep::single_tile(byte_size(workload.key), byte_size(workload.value)));
    const auto n = static_cast<double>(workload.n);
    const std::size_t wide = std::max(byte_size(workload.key), byte_size(workload.value));
    const double arrays = 2 * n * bytes.both();
    const cub_lsd::TwoReads plan{static_cast<int>(8 * bytes.key), digit_bits};

    std::vector<PhasePrediction> phases;
    int shift = 0;
    for (int pass = 0; pass < plan.passes(); ++pass) {
      const bool alternate = plan.alternate(pass);
      const int bits = plan.bits(pass);
      const auto width = static_cast<double>(bits);
      const double tile = (alternate ? cub_lsd::kAlternateDownsweep : cub_lsd::kDownsweep).tile(wide);
      const double tiles = count_blocks(n, tile);
      const PassDigits met = pass_digits(view, pass == 0, shift, bits, tile);
      const double counters = std::exp2(bits) * std::min<double>(tiles, cub_lsd::kMaxBlocks * device.profile().cores);
      const std::string suffix = alternate ? "_alternate" : "";
      phases.push_back(
          device.kernel({.phase = kUpsweep,
                         .pass = pass,
                         .tiles = tiles,
                         .persistent = true,
                         .elements = n,
                         .traffic = {.read = n * bytes.key,
                                     .written = counters * kCounterBytes,
                                     .working_set = pass == 0 ? kBeyondCaches : arrays,
                                     .access = bytes.key},
                         .tile = device.tile(kUpsweep, "upsweep" + suffix, {width, bytes.key}, met.entropy)}));
      // One block scans all counters, tile after tile.
      phases.push_back(
          device.kernel({.phase = "RadixSortScanBinsKernel",
                         .pass = pass,
                         .waiting = 2 * count_blocks(counters, cub_lsd::kScanTile) * device.cached_latency(),
                         .traffic = {.read = counters * kCounterBytes,
                                     .written = counters * kCounterBytes,
                                     .working_set = counters * kCounterBytes}}));
      phases.push_back(device.kernel(
          {.phase = kDownsweep,
           .pass = pass,
           .tiles = tiles,
           .persistent = true,
           .elements = n,
           .round_trips = bytes.value > 0 ? 2 : 1,  // keys, then values
           .traffic = {.read = n * bytes.both(),
                       .written = n * bytes.both(),
                       .working_set = arrays,
                       .access = bytes.key,
                       .runs = met.distinct,
                       .run_bytes = tile / met.distinct * bytes.key},
           .tile = device.tile(kDownsweep, "rank_downsweep" + suffix, {width, bytes.key, bytes.value}, met.entropy)}));
      shift += bits;
    }
    return sequence(std::move(phases));
  }
};

const RegisterLevels<CubRadixLsd> registered;

}  // namespace
}  // namespace sortlab
