#include "models/kernels/onesweep.hpp"

#include <algorithm>
#include <cmath>

#include "models/cost.hpp"

namespace sortlab {
namespace {

// A library reports no phases: they go by the names of its kernels, as in counts.
constexpr const char* kHistogram = "DeviceRadixSortHistogramKernel";
constexpr const char* kOneSweep = "DeviceRadixSortOnesweepKernel";

}  // namespace

void require_tiles(const Workload& workload, std::uint64_t single_tile) {
  if (workload.n <= single_tile) {
    throw BadInput(workload.algorithm + ": arrays that CUB sorts in one block are not modelled");
  }
}

Prediction onesweep(const Workload& workload, const OneSweep& sort, const DistributionView& view,
                    const DeviceCosts& device) {
  if (workload.n == 0) return {};
  const ElementBytes bytes = element_bytes(workload);
  const auto n = static_cast<double>(workload.n);
  require_tiles(workload, sort.single_tile);
  const int digit_bits = sort.digits.digit_bits;
  const LsdDigits& plan = sort.digits;
  const int passes = plan.passes();
  const double arrays = 2 * n * bytes.both();
  const double digits = std::exp2(digit_bits);

  const auto width = static_cast<double>(digit_bits);
  std::vector<PhasePrediction> phases{device.fillings("memset", 0, 2)};
  const PassDigits lowest = pass_digits(view, true, 0, digit_bits, sort.tile);
  phases.push_back(device.kernel(
      {.phase = kHistogram,
       .tiles = count_blocks(n, sort.histogram_tile),
       .persistent = true,
       .elements = n,
       .round_trips = 2,
       .traffic = {.read = n * bytes.key, .working_set = kBeyondCaches, .access = bytes.key},
       .tile = device.tile(kHistogram, "histogram", {width, static_cast<double>(passes), bytes.key}, lowest.entropy)}));
  phases.push_back(device.kernel({.phase = "DeviceRadixSortExclusiveSumKernel",
                                  .tiles = static_cast<double>(passes),
                                  .elements = passes * digits,
                                  .traffic = {.read = passes * digits * 8, .written = passes * digits * 8}}));
  const auto portion = static_cast<double>(sort.portion);
  int launch = 0;  // number of the launch, as in counts
  for (int pass = 0; pass < passes; ++pass) {
    const int bits = plan.bits(pass);
    const PassDigits met = pass_digits(view, pass == 0, plan.shift(pass), bits, sort.tile);
    for (double done = 0; done < n; done += portion, ++launch) {
      const double part = std::min(portion, n - done);
      const double tiles = count_blocks(part, sort.tile);
      std::vector<double> at = sort.at;
      if (bits < digit_bits) at.front() = bits;  // the narrower digit at the top
      const TileWork tile = device.tile(kOneSweep, sort.table, at, met.entropy);
      const double at_once = std::min(tiles, static_cast<double>(tile.resident) * device.profile().cores);
      phases.push_back(device.fillings("memset", launch, 1));
      phases.push_back(
          device.kernel({.phase = kOneSweep,
                         .pass = launch,
                         .tiles = tiles,
                         .elements = part,
                         .round_trips = 3,           // the tile's number, its keys, the first look back
                         .chained = 2 * sort.items,  // its digit's counter, and the leader's result
                         .waiting = device.look_back(at_once),
                         .traffic = {.read = part * bytes.both() + tiles * digits * sort.look_back_bytes,
                                     .written = part * bytes.both() + 2 * tiles * digits * sort.look_back_bytes,
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
