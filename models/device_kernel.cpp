#include "models/device_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/operation_counts.hpp"

namespace sortlab {
namespace {

/// Seconds to move `traffic`: what is read and written together at the rate of a copy, the rest at that of reading or
/// writing alone.
double memory_seconds(const Traffic& traffic, const MachineProfile& device) {
  double copying = device.at("copy", {traffic.access, traffic.working_set});
  if (traffic.runs > 1) {
    // Of a partition of an array beyond the caches; how much its short runs cost holds for smaller ones, too.
    copying *= std::min(1.0, device.at("scatter", {traffic.access, traffic.runs, traffic.run_bytes}) /
                                 device.at("copy", {traffic.access, kBeyondCaches}));
  }
  const double both = std::min(traffic.read, traffic.written);
  double seconds = 2 * both / copying;
  if (traffic.read > both) seconds += (traffic.read - both) / device.at("read", {traffic.access, traffic.working_set});
  if (traffic.written > both) {
    seconds += (traffic.written - both) / device.at("write", {traffic.access, traffic.working_set});
  }
  return seconds;
}

}  // namespace

std::string name_of(Level level) {
  return level == Level::operations ? "A" : "B";
}

DeviceCosts::DeviceCosts(const MachineProfile& device, Level level, std::string algorithm, std::string variant,
                         ElementBytes bytes)
    : device_(device), level_(level), algorithm_(std::move(algorithm)), variant_(std::move(variant)), bytes_(bytes) {}

TileWork DeviceCosts::tile(const std::string& phase, const std::string& table, std::vector<double> arguments,
                           std::optional<double> entropy) const {
  const OperationCounts* const counted = operation_counts(algorithm_, variant_, phase, bytes_.key, bytes_.value);
  TileWork work;
  double pipes = 0;
  if (counted != nullptr) {
    const double issue =
        std::max(counted->instructions / device_.at("issue.ffma"), counted->alu / device_.at("issue.lop3"));
    const double shared = counted->wavefronts * device_.at("shared_load", {1});
    work.binding = issue >= shared ? "issue" : "shared";
    pipes = overlapped(std::vector{issue, shared}, device_.at("overlap.copy_shared"));
  }
  if (level_ == Level::operations) {
    if (counted == nullptr) {
      throw MissingQuantity(
          fmt::format("no operations were counted for {} {}, phase '{}', {}-byte keys, {}-byte values", algorithm_,
                      variant_, phase, bytes_.key, bytes_.value));
    }
    work.cycles = pipes;
    return work;
  }
  work.alone = device_.at("alone." + table, arguments);
  if (entropy) arguments.push_back(*entropy);
  work.cycles = device_.at("tile." + table, arguments);
  return work;
}

PhasePrediction DeviceCosts::kernel(const KernelWork& work) const {
  const double multiprocessors = device_.cores;
  // The launch of MB7 is that of a kernel that waits for one word of the one before, from the cache.
  const double waiting =
      std::max(0.0, work.round_trips * device_.at("latency", {work.traffic.working_set}) - cached_latency());
  const double launch = device_.at("launch_dependent") + waiting + work.waiting;
  // A multiprocessor takes whole blocks.
  const double share = std::max(1.0, work.blocks / multiprocessors);
  const double tile_elements = work.elements / std::max(1.0, work.blocks);
  const double tiles = std::ceil(share) * tile_elements * work.tile.cycles / device_.clock_hz;
  const double memory = memory_seconds(work.traffic, device_);

  PhasePrediction prediction{.name = work.phase, .pass = work.pass};
  prediction.work = {{"elements", work.elements},
                     {"blocks", work.blocks},
                     {"bytes.read", work.traffic.read},
                     {"bytes.written", work.traffic.written}};
  const double busy = overlapped(std::vector{memory, tiles}, device_.at("overlap.copy_shared_barrier"));
  prediction.seconds = launch + std::max(work.tile.alone, busy);
  if (launch + (busy < work.tile.alone ? work.tile.alone : 0) > busy) {
    prediction.binding = "latency";
  } else if (memory >= tiles) {
    prediction.binding = work.traffic.working_set <= device_.cache("L2") ? "l2" : "dram";
  } else {
    prediction.binding = work.tile.binding;
  }
  return prediction;
}

PhasePrediction DeviceCosts::scan(std::string phase, int pass, double counters) const {
  return {.name = std::move(phase),
          .pass = pass,
          .seconds = device_.at("tile.counter_scan", {counters}),
          .binding = "latency",
          .work = {{"counters", counters}}};
}

double DeviceCosts::search(double bytes) const {
  return std::max(0.0, device_.at("search", {bytes}) - device_.at("launch_dependent"));
}

double DeviceCosts::cached_latency() const {
  return device_.at("latency", {device_.cache("L2") / 4});
}

PhasePrediction DeviceCosts::fillings(std::string phase, int pass, double count) const {
  return {.name = std::move(phase),
          .pass = pass,
          .seconds = count * device_.at("memset"),
          .binding = "latency",
          .work = {{"launches", count}}};
}

PassDigits pass_digits(const DistributionView& view, bool first, int shift, int bits, double tile) {
  PassDigits digits;
  const std::vector<double> shares = view.digit_shares(shift, bits);
  double distinct = 0;
  for (const double share : shares) {
    if (share <= 0) continue;
    digits.entropy -= share * std::log2(share);
    distinct += 1 - std::pow(1 - share, tile);
  }
  digits.constant = std::ranges::max(shares) >= 1;
  digits.distinct = std::max(1.0, first ? view.distinct_digits(shift, bits, static_cast<int>(tile)) : distinct);
  // A tile with fewer digits than its share of the input has less to tell apart.
  digits.entropy = std::clamp(digits.entropy, 0.0, std::log2(digits.distinct));
  return digits;
}

double sortedness(const DistributionView& view) {
  return std::max(0.0, 1 - 2 * view.descents());
}

double blocks_of(double elements, double tile) {
  return std::ceil(elements / tile);
}

ElementBytes element_bytes(const Workload& workload) {
  const ElementBytes bytes{.key = static_cast<double>(size_of(workload.key)),
                           .value = static_cast<double>(size_of(workload.value))};
  if (bytes.key > 8)
    throw BadInput(fmt::format("{}: tiles of keys of 4 and 8 bytes are calibrated", workload.algorithm));
  return bytes;
}

}  // namespace sortlab
