// CUB's radix sort: a histogram of all digits in one reading, then a kernel a pass that ranks tiles, learns where their
// digits go by looking back at the tiles before, and writes them there.
#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/device_model.hpp"
#include "models/onesweep.hpp"

namespace sortlab {
namespace {

// A library reports no phases: they go by the names of its kernels, as in counts.
constexpr const char* kHistogram = "DeviceRadixSortHistogramKernel";
constexpr const char* kOneSweep = "DeviceRadixSortOnesweepKernel";

constexpr double kLookBackBytes = 4;         // a digit and tile
constexpr double kHistogramTile = 128 * 16;  // elements that a block takes at once

/// Threads and items of CUB 3.0 for compute capability 9.0, with counts of 64 bits (cub/device/dispatch/tuning/
/// tuning_radix_sort.cuh, scaled as util_arch.cuh does), and what of them fits a multiprocessor.
struct Shape {
  double tile;            ///< elements of a block
  double blocks_at_once;  ///< that a multiprocessor holds, by their registers

  explicit Shape(const ElementBytes& bytes) {
    constexpr double threads = 384;
    const double wide = std::max(bytes.key, bytes.value);
    if (bytes.value == 0) {
      tile = threads * (wide > 4 ? 15 : 19);
    } else if (wide == 4) {
      tile = threads * 17;
    } else {
      tile = threads * (bytes.key > 4 && bytes.value > 4 ? 12 : 14);
    }
    blocks_at_once = bytes.both() > 4 ? 2 : 3;
  }
};

class CubRadix final : public DeviceModel {
 public:
  explicit CubRadix(Level level)
      : DeviceModel(level, {.name = "cub_radix",
                            .title = "one-sweep radix sort on a device, kernel by kernel (family A)",
                            .source = "this project, after Adinets and Merrill 2022 and CUB's sources",
                            .algorithms = {"cub_radix", "thrust_sort", "thrust_stable_sort"}}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    constexpr int digit_bits = 8;
    return onesweep(workload, digit_bits, view, {profile, level(), "cub_radix", "", element_bytes(workload)});
  }
};

const RegisterLevels<CubRadix> registered;

}  // namespace

void require_tiles(const Workload& workload, const ElementBytes& bytes) {
  // Its single-tile policy is of 256 x 19 words of 4 bytes.
  const double one_tile = 256 * std::floor(19 * 4 / std::max(bytes.key, bytes.value));
  if (static_cast<double>(workload.n) <= one_tile) {
    throw BadInput(workload.algorithm + ": arrays that CUB sorts in one block are not modelled");
  }
}

Prediction onesweep(const Workload& workload, int digit_bits, const DistributionView& view, const DeviceCosts& device) {
  if (workload.n == 0) return {};
  const ElementBytes bytes = element_bytes(workload);
  const auto n = static_cast<double>(workload.n);
  const Shape shape{bytes};
  require_tiles(workload, bytes);
  const int key_bits = static_cast<int>(8 * bytes.key);
  const int passes = (key_bits + digit_bits - 1) / digit_bits;
  const double arrays = 2 * n * bytes.both();
  const double digits = std::exp2(digit_bits);

  const auto width = static_cast<double>(digit_bits);
  std::vector<PhasePrediction> phases{device.fillings("memset", 0, 2)};
  const PassDigits lowest = pass_digits(view, true, 0, digit_bits, shape.tile);
  phases.push_back(device.kernel(
      {.phase = kHistogram,
       .tiles = blocks_of(n, kHistogramTile),
       .elements = n,
       .round_trips = 2,
       .traffic = {.read = n * bytes.key, .working_set = kBeyondCaches, .access = bytes.key},
       .tile = device.tile(kHistogram, "histogram", {width, static_cast<double>(passes), bytes.key}, lowest.entropy)}));
  phases.push_back(device.kernel({.phase = "DeviceRadixSortExclusiveSumKernel",
                                  .tiles = static_cast<double>(passes),
                                  .elements = passes * digits,
                                  .traffic = {.read = passes * digits * 8, .written = passes * digits * 8}}));
  // Counts are of 32 bits, so that more than 2^28 elements are sorted portion by portion.
  const double portion = std::floor((std::exp2(28) - 1) / shape.tile) * shape.tile;
  int launch = 0;  // what stands for the pass, as in counts
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = pass * digit_bits;
    const int bits = std::min(digit_bits, key_bits - shift);
    const PassDigits met = pass_digits(view, pass == 0, shift, bits, shape.tile);
    for (double done = 0; done < n; done += portion, ++launch) {
      const double part = std::min(portion, n - done);
      const double tiles = blocks_of(part, shape.tile);
      const double at_once = std::min(tiles, shape.blocks_at_once * device.profile().cores);
      phases.push_back(device.fillings("memset", launch, 1));
      phases.push_back(
          device.kernel({.phase = kOneSweep,
                         .pass = launch,
                         .tiles = tiles,
                         .elements = part,
                         .round_trips = 3,  // the tile's number, its keys, the first look back
                         // Of blocks that begin together, number i looks back at half of those before it until it meets
                         // one that knows its sum: later ones find it sooner.
                         .waiting = at_once / 2 * device.cached_latency(),
                         .traffic = {.read = part * bytes.both() + tiles * digits * kLookBackBytes,
                                     .written = part * bytes.both() + 2 * tiles * digits * kLookBackBytes,
                                     .working_set = arrays,
                                     .access = bytes.key,
                                     .runs = met.distinct,
                                     .run_bytes = shape.tile / met.distinct * bytes.key},
                         .tile = device.tile(kOneSweep, "rank_match",
                                             {static_cast<double>(bits), bytes.key, bytes.value}, met.entropy)}));
    }
  }
  return sequence(std::move(phases));
}

}  // namespace sortlab
