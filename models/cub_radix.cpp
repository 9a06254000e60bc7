// CUB's radix sort: a histogram of all digits in one reading, then a kernel a pass that ranks tiles, learns where their
// digits go by looking back at the tiles before, and writes them there.
#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/onesweep.hpp"

namespace sortlab {
namespace {

constexpr double kLookBackBytes = 4;  // a digit and tile

/// Threads and items of CUB 3.0 for compute capability 9.0, with counts of 64 bits (cub/device/dispatch/tuning/
/// tuning_radix_sort.cuh, scaled as util_arch.cuh does).
struct Shape {
  double tile;            ///< elements of a block
  double blocks_at_once;  ///< that a multiprocessor holds

  explicit Shape(const ElementBytes& bytes) {
    constexpr double threads = 384;
    const double items = bytes.both() <= 4                  ? 19
                         : bytes.both() <= 8                ? (bytes.value > 0 ? 17 : 15)
                         : bytes.value > 4 && bytes.key > 4 ? 12
                                                            : 14;
    tile = threads * items;
    blocks_at_once = 2;
  }
};

/// Of keys below this number CUB sorts in one block (its single-tile policy of 256 x 19 words of 4 bytes).
double single_tile(const ElementBytes& bytes) {
  return 256 * std::max(1.0, std::floor(19 * 4 / std::max({4.0, bytes.key, bytes.value})));
}

class CubRadix final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "cub_radix",
                                .title = "one-sweep radix sort on a device, kernel by kernel (family A)",
                                .source = "this project, after Adinets and Merrill 2022 and CUB's sources",
                                .algorithms = {"cub_radix", "thrust_sort", "thrust_stable_sort"},
                                .analytical = true,
                                .level = "B"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& device) const override {
    constexpr int digit_bits = 8;
    return onesweep(workload, digit_bits, view, device);
  }
};

const RegisterModel registered{std::make_unique<CubRadix>()};

}  // namespace

Prediction onesweep(const Workload& workload, int digit_bits, const DistributionView& view,
                    const MachineProfile& device) {
  if (workload.n == 0) return {};
  const ElementBytes bytes = element_bytes(workload);
  const auto n = static_cast<double>(workload.n);
  const Shape shape{bytes};
  if (n <= single_tile(bytes)) {
    throw BadInput(workload.algorithm + ": arrays that CUB sorts in one block are not modelled");
  }
  const int key_bits = static_cast<int>(8 * bytes.key);
  const int passes = (key_bits + digit_bits - 1) / digit_bits;
  const double arrays = 2 * n * bytes.both();
  const double digits = std::exp2(digit_bits);

  std::vector<PhasePrediction> phases{launches("memset", 0, 2, device)};
  const PassDigits lowest = pass_digits(view, true, 0, digit_bits, shape.tile);
  phases.push_back(kernel(
      {.phase = "histogram",
       .blocks = std::min(blocks_of(n, 128 * 16), 16.0 * device.cores),
       .elements = n,
       .round_trips = 2,
       .traffic = {.read = n * bytes.key, .written = 0, .working_set = 1e12, .access = bytes.key},
       .tile = {device.at("tile.histogram",
                          {static_cast<double>(digit_bits), static_cast<double>(passes), bytes.key, lowest.entropy}),
                device.at("alone.histogram",
                          {static_cast<double>(digit_bits), static_cast<double>(passes), bytes.key})}},
      device));
  phases.push_back(kernel({.phase = "scan",
                           .blocks = static_cast<double>(passes),
                           .elements = passes * digits,
                           .traffic = {.read = passes * digits * 8, .written = passes * digits * 8}},
                          device));
  // Counts are of 32 bits, so that more than 2^28 elements are sorted portion by portion.
  const double portion = std::floor((std::exp2(28) - 1) / shape.tile) * shape.tile;
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = pass * digit_bits;
    const int bits = std::min(digit_bits, key_bits - shift);
    const PassDigits met = pass_digits(view, pass == 0, shift, bits, shape.tile);
    for (double done = 0; done < n; done += portion) {
      const double part = std::min(portion, n - done);
      const double tiles = blocks_of(part, shape.tile);
      const double at_once = std::min(tiles, shape.blocks_at_once * device.cores);
      phases.push_back(launches("memset", pass, 1, device));
      phases.push_back(kernel(
          {.phase = "onesweep",
           .pass = pass,
           .blocks = tiles,
           .elements = part,
           .round_trips = 3,  // the tile's number, its keys, the first look back
           // Of blocks that begin together, number i looks back at half of those before it until it meets one that
           // knows its sum: later ones find it sooner.
           .waiting = at_once / 2 * device.at("latency", {device.cache("L2") / 4}),
           .traffic = {.read = part * bytes.both() + tiles * digits * kLookBackBytes,
                       .written = part * bytes.both() + 2 * tiles * digits * kLookBackBytes,
                       .working_set = arrays,
                       .access = bytes.key,
                       .runs = met.distinct,
                       .run_bytes = shape.tile / met.distinct * bytes.key},
           .tile = {device.at("tile.rank_match", {static_cast<double>(bits), bytes.key, bytes.value, met.entropy}),
                    device.at("alone.rank_match", {static_cast<double>(bits), bytes.key, bytes.value})}},
          device));
    }
  }
  return sequence(std::move(phases));
}

}  // namespace sortlab
