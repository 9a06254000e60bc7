// CUB's radix sort with narrower digits: in one sweep (family A), or in its older form that reads the keys twice a pass
// (family B): an upsweep counts, a scan of one block sums up, a downsweep ranks and writes.
#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/onesweep.hpp"

namespace sortlab {
namespace {

constexpr double kCounterBytes = 8;

class CubRadixLsd final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "cub_radix_lsd",
                                .title = "CUB's radix sort with narrower digits, kernel by kernel (families A and B)",
                                .source = "this project, after Merrill and Grimshaw 2011 and CUB's sources",
                                .algorithms = {"cub_radix_lsd"},
                                .analytical = true,
                                .level = "B"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& device) const override {
    const auto digit_bits = static_cast<int>(workload.parameters.integer("digit_bits"));
    if (workload.parameters.word("form") == "onesweep") return onesweep(workload, digit_bits, view, device);
    return two_reads(workload, digit_bits, view, device);
  }

 private:
  static Prediction two_reads(const Workload& workload, int digit_bits, const DistributionView& view,
                              const MachineProfile& device) {
    if (workload.n == 0) return {};
    const ElementBytes bytes = element_bytes(workload);
    const auto n = static_cast<double>(workload.n);
    const double wide = std::max(bytes.key, bytes.value);
    const double tile = 512 * std::max(1.0, std::floor(23 * 4 / wide));  // of the downsweep
    const double arrays = 2 * n * bytes.both();
    const int key_bits = static_cast<int>(8 * bytes.key);
    const int passes = (key_bits + digit_bits - 1) / digit_bits;
    // What is left over makes the first passes a bit narrower.
    const int narrow = passes * digit_bits - key_bits;
    // CUB's share of tiles for each block: up to five times as many blocks as the device holds.
    const double blocks = std::min(blocks_of(n, tile), 5.0 * 2 * device.cores);

    std::vector<PhasePrediction> phases;
    int shift = 0;
    for (int pass = 0; pass < passes; ++pass) {
      const int bits = digit_bits - (pass < narrow ? 1 : 0);
      const auto width = static_cast<double>(bits);
      const PassDigits met = pass_digits(view, pass == 0, shift, bits, tile);
      const double counters = std::exp2(bits) * blocks;
      phases.push_back(kernel({.phase = "upsweep",
                               .pass = pass,
                               .blocks = blocks,
                               .elements = n,
                               .traffic = {.read = n * bytes.key,
                                           .written = counters * kCounterBytes,
                                           .working_set = pass == 0 ? 1e12 : arrays,
                                           .access = bytes.key},
                               .tile = {device.at("tile.upsweep", {width, bytes.key, met.entropy}),
                                        device.at("alone.upsweep", {width, bytes.key})}},
                              device));
      phases.push_back({.name = "scan",
                        .pass = pass,
                        .seconds = device.at("tile.counter_scan", {counters}),
                        .binding = "latency",
                        .work = {{"counters", counters}}});
      phases.push_back(kernel({.phase = "downsweep",
                               .pass = pass,
                               .blocks = blocks,
                               .elements = n,
                               .round_trips = 2,
                               .traffic = {.read = n * bytes.both(),
                                           .written = n * bytes.both(),
                                           .working_set = arrays,
                                           .access = bytes.key,
                                           .runs = met.distinct,
                                           .run_bytes = tile / met.distinct * bytes.key},
                               .tile = {device.at("tile.rank_downsweep", {width, bytes.key, bytes.value, met.entropy}),
                                        device.at("alone.rank_downsweep", {width, bytes.key, bytes.value})}},
                              device));
      shift += bits;
    }
    return sequence(std::move(phases));
  }
};

const RegisterModel registered{std::make_unique<CubRadixLsd>()};

}  // namespace
}  // namespace sortlab
