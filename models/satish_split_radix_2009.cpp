// Family B of the reference (section 4.5), in the form of IPDPS 2009, for satish_split_radix_2009: tiles are sorted and
// written back, searched for where digits start, and read once more to be written to their places: five times the bytes
// of a pass where later sorts move three.
#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/device_kernel.hpp"

namespace sortlab {
namespace {

constexpr double kCounterBytes = 4;
constexpr double kStartBytes = 2;
constexpr double kOffsetBytes = 8;

class SatishSplitRadix2009 final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "satish_split_radix_2009",
                                .title = "split radix sort of 2009 on a device, kernel by kernel (family B)",
                                .source = "this project, after Satish, Harris and Garland, IPDPS 2009, section 4",
                                .algorithms = {"satish_split_radix_2009"},
                                .analytical = true,
                                .level = "B"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& device) const override {
    if (workload.n < 2) return {};
    const ElementBytes bytes = element_bytes(workload);
    const auto n = static_cast<double>(workload.n);
    const auto items = static_cast<double>(workload.parameters.integer("items"));
    const auto threads = static_cast<double>(workload.parameters.integer("threads"));
    const auto digit_bits = static_cast<int>(workload.parameters.integer("digit_bits"));
    const int key_bits = static_cast<int>(8 * bytes.key);
    const double tile = items * threads;
    const double tiles = blocks_of(n, tile);
    const double arrays = 2 * n * bytes.both();

    std::vector<PhasePrediction> phases;
    for (int pass = 0; pass * digit_bits < key_bits; ++pass) {
      const int shift = pass * digit_bits;
      const int bits = std::min(digit_bits, key_bits - shift);
      const double counters = std::exp2(bits) * tiles;
      const PassDigits digits = pass_digits(view, pass == 0, shift, bits, tile);
      const auto add = [&](const char* phase, const Traffic& traffic, const TileWork& work, int round_trips) {
        phases.push_back(kernel({.phase = phase,
                                 .pass = pass,
                                 .blocks = tiles,
                                 .elements = n,
                                 .round_trips = round_trips,
                                 .traffic = traffic,
                                 .tile = work},
                                device));
      };
      add("sort tiles",
          {.read = n * bytes.both(),
           .written = n * bytes.both(),
           .working_set = pass == 0 ? 1e12 : arrays,
           .access = bytes.key},
          {device.at("tile.split_2009",
                     {static_cast<double>(bits), items, threads, bytes.key, bytes.value, digits.entropy}),
           device.at("alone.split_2009", {static_cast<double>(bits), items, threads, bytes.key, bytes.value})},
          1);
      add("find offsets",
          {.read = n * bytes.key,
           .written = counters * (kStartBytes + kCounterBytes),
           .working_set = arrays,
           .access = bytes.key},
          {device.at("tile.find_offsets", {bytes.key, digits.entropy}), device.at("alone.find_offsets", {bytes.key})},
          1);
      phases.push_back({.name = "scan",
                        .pass = pass,
                        .seconds = device.at("tile.counter_scan", {counters + 1}),
                        .binding = "latency",
                        .work = {{"counters", counters}}});
      add("scatter",
          {.read = n * bytes.both() + counters * (kOffsetBytes + kStartBytes),
           .written = n * bytes.both(),
           .working_set = arrays,
           .access = bytes.key,
           .runs = digits.distinct,
           .run_bytes = tile / digits.distinct * bytes.key},
          {device.at("tile.scatter_runs", {bytes.key, bytes.value}),
           device.at("alone.scatter_runs", {bytes.key, bytes.value})},
          2);
    }
    return sequence(std::move(phases));
  }
};

const RegisterModel registered{std::make_unique<SatishSplitRadix2009>()};

}  // namespace
}  // namespace sortlab
