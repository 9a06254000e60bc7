#include "models/kernels/counting_passes.hpp"

#include "models/cost.hpp"
#include "models/kernels/tiled_passes.hpp"

namespace sortlab {

Prediction counting_passes(const Workload& workload, const CountingPasses& sort, const DistributionView& view,
                           const DeviceCosts& device) {
  if (workload.n == 0) return {};
  const ElementBytes bytes = element_bytes(workload);
  const auto n = static_cast<double>(workload.n);
  const double tiles = count_blocks(n, sort.tile);
  const int digit_bits = sort.digits.digit_bits;
  const LsdDigits whole{sort.digits.passes() * digit_bits, digit_bits};  // the kernels count whole digits in each pass

  std::vector<PhasePrediction> phases;
  for (const TiledPass& pass : tiled_passes(whole, n, bytes, sort.tile, view)) {
    const bool aos = sort.pairs && pass.pass + 1 < whole.passes();  // the last pass writes keys and values apart
    const auto add = [&](const char* phase, int round_trips, const Traffic& traffic, const TileWork& work) {
      phases.push_back(device.kernel({.phase = phase,
                                      .pass = pass.pass,
                                      .tiles = tiles,
                                      .elements = n,
                                      .round_trips = round_trips,
                                      .traffic = traffic,
                                      .tile = work}));
    };
    const auto order = [&](const char* phase) {
      return device.tile(phase, sort.ordering, {sort.wide ? 1.0 : 0.0, bytes.key, bytes.value}, pass.digits.entropy);
    };
    if (sort.stored) {
      add("presort", 1,
          {.read = n * bytes.both(),
           .written = n * bytes.both() + pass.counters * sort.counter_bytes,
           .working_set = pass.working_set,
           .access = sort.pairs && pass.pass > 0 ? bytes.both() : bytes.key},
          order("presort"));
    } else {
      add("count", 1,
          {.read = n * bytes.key,
           .written = pass.counters * sort.counter_bytes,
           .working_set = pass.working_set,
           .access = 16},
          device.tile("count", sort.count, {bytes.key, bytes.value}));
    }
    phases.push_back(device.scan("rank", pass.pass, pass.counters));
    add("shuffle", 2,
        {.read = n * bytes.both() + pass.counters * 2 * sort.offset_bytes,
         .written = n * bytes.both(),
         .working_set = pass.arrays,
         .access = aos ? bytes.both() : bytes.key,
         .runs = pass.digits.distinct,
         .run_bytes = sort.tile / pass.digits.distinct * (aos ? bytes.both() : bytes.key)},
        sort.stored ? device.tile("shuffle", sort.shuffle, {bytes.key, bytes.value}) : order("shuffle"));
  }
  return sequence(std::move(phases));
}

}  // namespace sortlab
