// Family B of the reference (section 4.5) for satish_split_radix: each pass counts the digits of every tile, scans the
// counters, then sorts tiles by 1-bit splits and writes their runs. Level B: a tile's work in a multiprocessor is
// measured without memory (micro-benchmark MB8).
#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/device/device_model.hpp"

namespace sortlab {
namespace {

constexpr double kCounterBytes = 4;
constexpr double kOffsetBytes = 8;

class SatishSplitRadix final : public DeviceModel {
 public:
  explicit SatishSplitRadix(Level level)
      : DeviceModel(level, {.name = "satish_split_radix",
                            .title = "split radix sort on a device, kernel by kernel (family B)",
                            .source = "this project, after Satish et al. 2010, section 2.1",
                            .algorithms = {"satish_split_radix"}}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    if (workload.n < 2) return {};
    const ElementBytes bytes = element_bytes(workload);
    const auto n = static_cast<double>(workload.n);
    const std::string& split = workload.parameters.word("split");
    const DeviceCosts device{profile, level(), workload.algorithm, split, bytes};
    const bool together = split == "vertical";
    const auto items = static_cast<double>(workload.parameters.integer("items"));
    const auto warps = static_cast<double>(workload.parameters.integer("warps"));
    const auto digit_bits = static_cast<int>(workload.parameters.integer("digit_bits"));
    const int key_bits = static_cast<int>(8 * bytes.key);
    const double block = 32 * warps * items;            // elements
    const double tile = together ? block : 32 * items;  // of them that are sorted together
    const double tiles = blocks_of(n, tile);
    const double arrays = 2 * n * bytes.both();

    std::vector<PhasePrediction> phases;
    for (int pass = 0; pass * digit_bits < key_bits; ++pass) {
      const int shift = pass * digit_bits;
      const int bits = std::min(digit_bits, key_bits - shift);
      const double counters = std::exp2(bits) * tiles;
      const PassDigits digits = pass_digits(view, pass == 0, shift, bits, tile);
      phases.push_back(device.kernel(
          {.phase = "histogram",
           .pass = pass,
           .tiles = blocks_of(n, block),
           .elements = n,
           .round_trips = batches(items, bytes),
           .traffic = {.read = n * bytes.key,
                       .written = counters * kCounterBytes,
                       .working_set = pass == 0 ? kBeyondCaches : arrays,
                       .access = bytes.key},
           .tile = device.tile("histogram", "count_bytes", {together ? 1.0 : 0.0, items, bytes.key, bytes.value})}));
      phases.push_back(device.scan("scan", pass, counters));
      std::vector<double> shape{static_cast<double>(bits), items};
      if (together) shape.push_back(32 * warps);
      shape.insert(shape.end(), {bytes.key, bytes.value});
      phases.push_back(device.kernel({.phase = "scatter",
                                      .pass = pass,
                                      .tiles = blocks_of(n, block),
                                      .elements = n,
                                      .round_trips = 2,
                                      .traffic = {.read = n * bytes.both() + 2 * counters * kOffsetBytes,
                                                  .written = n * bytes.both(),
                                                  .working_set = arrays,
                                                  .access = bytes.key,
                                                  .runs = digits.distinct,
                                                  .run_bytes = tile / digits.distinct * bytes.key},
                                      .tile = device.tile("scatter", "split_" + split, shape, digits.entropy)}));
    }
    return sequence(std::move(phases));
  }

 private:
  /// Loads of a thread that wait for each other in step 1: 64 bytes at once, and what is left key by key.
  static int batches(double items, const ElementBytes& bytes) {
    const double at_once = 64 / bytes.key;
    return static_cast<int>(std::floor(items / at_once) + std::fmod(items, at_once));
  }
};

const RegisterLevels<SatishSplitRadix> registered;

}  // namespace
}  // namespace sortlab
