// Family B of the reference (section 4.5) for satish_split_radix: each pass counts the digits of every tile, scans the
// counters, then sorts tiles by 1-bit splits and writes their runs. Level B: a tile's work in a multiprocessor is
// measured without memory (micro-benchmark MB8).
#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/device_kernel.hpp"

namespace sortlab {
namespace {

constexpr double kCounterBytes = 4;
constexpr double kOffsetBytes = 8;

class SatishSplitRadix final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "satish_split_radix",
                                .title = "split radix sort on a device, kernel by kernel (family B)",
                                .source = "this project, after Satish et al. 2010, section 2.1",
                                .algorithms = {"satish_split_radix"},
                                .analytical = true,
                                .level = "B"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& device) const override {
    if (workload.n < 2) return {};
    const ElementBytes bytes = element_bytes(workload);
    const auto n = static_cast<double>(workload.n);
    const std::string& split = workload.parameters.word("split");
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
      phases.push_back(
          kernel({.phase = "histogram",
                  .pass = pass,
                  .blocks = blocks_of(n, block),
                  .elements = n,
                  .traffic = {.read = n * bytes.key,
                              .written = counters * kCounterBytes,
                              .working_set = pass == 0 ? 1e12 : arrays,
                              .access = bytes.key},
                  .tile = {device.at("tile.count_bytes", {together ? 1.0 : 0.0, items, bytes.key, bytes.value}),
                           device.at("alone.count_bytes", {together ? 1.0 : 0.0, items, bytes.key, bytes.value})}},
                 device));
      phases.push_back({.name = "scan",
                        .pass = pass,
                        .seconds = device.at("tile.counter_scan", {counters + 1}),
                        .binding = "latency",
                        .work = {{"counters", counters}}});
      phases.push_back(kernel({.phase = "scatter",
                               .pass = pass,
                               .blocks = blocks_of(n, block),
                               .elements = n,
                               .traffic = {.read = n * bytes.both() + 2 * counters * kOffsetBytes,
                                           .written = n * bytes.both(),
                                           .working_set = arrays,
                                           .access = bytes.key,
                                           .runs = digits.distinct,
                                           .run_bytes = tile / digits.distinct * bytes.key},
                               .tile = tile_work(split, bits, items, 32 * warps, bytes, digits.entropy, device)},
                              device));
    }
    return sequence(std::move(phases));
  }

 private:
  static TileWork tile_work(const std::string& split, double bits, double items, double threads,
                            const ElementBytes& bytes, double entropy, const MachineProfile& device) {
    if (split == "vertical") {
      return {device.at("tile.split_vertical", {bits, items, threads, bytes.key, bytes.value, entropy}),
              device.at("alone.split_vertical", {bits, items, threads, bytes.key, bytes.value})};
    }
    const std::string tile = "tile.split_" + split;
    return {device.at(tile, {bits, items, bytes.key, bytes.value, entropy}),
            device.at("alone.split_" + split, {bits, items, bytes.key, bytes.value})};
  }
};

const RegisterModel registered{std::make_unique<SatishSplitRadix>()};

}  // namespace
}  // namespace sortlab
