// The kernels of the sample sort, preset tuned, from what they execute (counts.inc, by static analysis of their
// code) and from the device. Nothing of the sort is timed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "algorithms/leischner_sample_sort/model/kernels.hpp"
#include "models/kernels/compiled_kernel.hpp"

namespace sortlab {
namespace {

using namespace sample_sort;

/// Operations of a thread, in total or for one iteration of a loop.
struct SampleCounts {
  std::string_view passed;
  double key, value;  ///< bytes
  double instructions, alu;
  double loads, stores, atomics;  ///< accesses to shared memory
  int registers;
  double shared_bytes;
};

constexpr std::array kCounts = {
#include "algorithms/leischner_sample_sort/model/counts.inc"
};

constexpr double kAtOnce = 8;   ///< elements of a thread that walk down the tree together
constexpr double kIdBytes = 2;  ///< size of a stored bucket number
constexpr double kCounterBytes = 4;
constexpr double kPlaceBytes = 8;
constexpr double kBanks = 32;

class CountedKernels final : public SampleSortKernels {
 public:
  CountedKernels(const MachineProfile& device, const Settings& settings, ElementBytes bytes)
      : device_(device),
        settings_(settings),
        bytes_(bytes),
        costs_(device, Level::operations, "leischner_sample_sort", "", bytes) {
    if (settings.bucket_sort == BucketSort::quicksort) {
      throw MissingQuantity("no operations were counted of the preset paper's quicksort: they depend on its pivots");
    }
  }

  /// Counters are cleared, the input is listed and laid out.
  double begin() const override { return device_.at("memset") + 2 * (launch() + 2 * far()); }

  /// A block a segment: Batcher's network over the sample, comparator after comparator of each thread.
  double sample(double segments, double log) const override {
    const double sampled = settings_.oversampling * std::exp2(log);
    const double depth = std::ceil(std::log2(sampled));
    const double each = std::ceil(sampled / 2 / kSampleThreads);  // comparators of a thread in a step
    constexpr double dependent = 4;                               // cycles (device_kernel.cpp)
    const auto alone = [&](const char* what) {                    // a read of shared memory, and what follows from it
      return dependent * counts(what, 0).instructions / device_.clock_hz + near();
    };
    const double steps = depth * (depth + 1) / 2;
    const double network = steps * (alone("sample, a step") + each * alone("sample, a comparator"));
    constexpr double resident = 4;  // blocks that its threads allow
    return launch() + 2 * far() + network * std::max(1.0, segments / device_.cores / resident);
  }

  double find(double elements, double log, double ordered, double segments) const override {
    const SampleCounts& walk = counts("find", 0);
    const SampleCounts& levels = counts("find, 4 levels", 0);
    const double ways = std::exp2(log);
    const double of_thread = ways / settings_.threads / items();  // splitters, per element
    double compared = 0;  // wavefronts of the tree's nodes: a level's lie side by side
    for (double level = 0; level < log; ++level) {
      const double words = bytes_.key / 4;
      const double random = std::exp2(level) * words > kBanks ? device_.at("shared_random", {bytes_.key}) : words;
      compared += ordered + (1 - ordered) * random;
    }
    const auto sum = [&](double SampleCounts::*what) {
      return walk.*what / kAtOnce + log / 4 * levels.*what / kAtOnce +
             of_thread * (counts("tree, a splitter", 0).*what + counts("find, a bucket", 0).*what);
    };
    const ExecutedOperations executed{.instructions = sum(&SampleCounts::instructions),
                                      .alu = sum(&SampleCounts::alu),
                                      .wavefronts = compared + atomic(ways, ordered, false) +
                                                    global(bytes_.key + kIdBytes) +
                                                    of_thread * (settings_.counters + 2),
                                      .votes = 1};
    const double tiles = count_tiles(elements, segments);
    return compiled_kernel_seconds(
        costs_, tiles, elements, executed,
        {.threads = static_cast<int>(settings_.threads),
         .registers = walk.registers,
         .shared_bytes = walk.shared_bytes + ways * (2 * bytes_.key + settings_.counters * kCounterBytes),
         .round_trips = 1 + rounds_of_tile()},  // the splitters, then keys
        {.read = elements * bytes_.key + tiles * ways * bytes_.key,
         .written = elements * kIdBytes + tiles * ways * kPlaceBytes,
         .working_set = 2 * elements * bytes_.both(),
         .access = bytes_.key});
  }

  Operations take_operations() const override { return costs_.take_operations(); }

  double scan(double counters) const override { return costs_.scan("scan", 0, counters).seconds; }

  double scatter(double elements, double log, double ordered, double segments) const override {
    const SampleCounts& staged = counts("scatter, to its bucket", bytes_.value);
    const SampleCounts& out = counts("scatter, out", bytes_.value);
    const double ways = std::exp2(log);
    const double of_thread = ways / settings_.threads / items();
    const auto sum = [&](double SampleCounts::*what) {
      return (staged.*what + out.*what) / kAtOnce +
             of_thread * (counts("tree, a splitter", 0).*what + counts("scatter, a bucket", bytes_.value).*what);
    };
    const double places = random(bytes_.key, ordered) + random(kCounterBytes, ordered) +
                          (bytes_.value > 0 ? random(bytes_.value, ordered) : 0);
    const double tile = settings_.tile;
    const double runs = std::max(1.0, (1 - ordered) * ways * (1 - std::exp(-tile / ways)));
    const ExecutedOperations executed{.instructions = sum(&SampleCounts::instructions),
                                      .alu = sum(&SampleCounts::alu),
                                      .wavefronts = places + atomic(ways, ordered, true) + out.loads / kAtOnce +
                                                    bytes_.both() / 4 - 1 + 2 * global(bytes_.both()) +
                                                    global(kIdBytes),
                                      .votes = 1};
    const double tiles = count_tiles(elements, segments);
    const double moved = elements * bytes_.both();
    return compiled_kernel_seconds(costs_, tiles, elements, executed,
                                   {.threads = static_cast<int>(settings_.threads),
                                    .registers = staged.registers,
                                    .shared_bytes = staged.shared_bytes + tile * (bytes_.both() + kIdBytes) +
                                                    ways * (2 * bytes_.key + kPlaceBytes + kCounterBytes),
                                    .round_trips = 1 + rounds_of_tile()},  // the counters, then elements
                                   {.read = moved + elements * kIdBytes + tiles * ways * kPlaceBytes,
                                    .written = moved,
                                    .working_set = 2 * moved,
                                    .access = bytes_.key,
                                    .runs = runs,
                                    .run_bytes = tile / runs * bytes_.key});
  }

  /// Lists the buckets, lays them out as the next level's segments, notes the segment of each tile, and has the host
  /// wait for the numbers.
  double list(double /*segments*/) const override {
    return 3 * (launch() + 2 * far()) + device_.at("host_sync") + device_.at("copy_back");
  }

  /// Each thread sorts its elements in registers; then runs of one thread, of two and so on are merged in pairs.
  double sort(const std::vector<SizedBuckets>& buckets) const override {
    const auto key = static_cast<std::size_t>(bytes_.key);
    double seconds = 0, begin = 0;
    for (std::size_t c = 0; c < kMergeThreads.size(); ++c) {
      const double end = class_elements(c, key);
      std::vector<SizedBuckets> of_class;
      std::ranges::copy_if(buckets, std::back_inserter(of_class), [&](const SizedBuckets& bucket) {
        return bucket.elements > begin && bucket.elements <= end;
      });
      begin = end;
      seconds += merge(of_class, kMergeThreads[c]);
    }
    return seconds;
  }

 private:
  /// Buckets of one class, a block each.
  double merge(const std::vector<SizedBuckets>& buckets, double threads) const {
    const double items = merge_items(static_cast<std::size_t>(bytes_.key));
    const SampleCounts& once = counts("merge, of a block", bytes_.value);
    const SampleCounts& level = counts("merge, a level", bytes_.value);
    const SampleCounts& idle = counts("merge, an idle level", bytes_.value);
    const SampleCounts& round = counts("merge, a round", bytes_.value);
    // Runs are read at a place of each thread's own; all else in order.
    const double random = device_.at("shared_random", {bytes_.key});
    double count = 0, elements = 0, most_levels = 0;
    ExecutedOperations all;  // sum over the threads of all blocks
    for (const SizedBuckets& bucket : buckets) {
      const double busy = bucket.elements / items;  // threads
      const double levels = std::ceil(std::log2(std::max(1.0, busy)));
      double rounds = 0;  // rounds of the searches along the merge path
      for (double merged = 0; merged < levels; ++merged) rounds += std::floor(std::log2(items) + merged) + 1;
      const auto sum = [&](double SampleCounts::*what) {
        return bucket.buckets * (busy * (once.*what + levels * level.*what + rounds * round.*what) +
                                 (threads - busy) * levels * idle.*what);
      };
      all.instructions += sum(&SampleCounts::instructions);
      all.alu += sum(&SampleCounts::alu);
      all.wavefronts += sum(&SampleCounts::stores) +
                        bucket.buckets * busy * (once.loads + random * (levels * level.loads + rounds * round.loads));
      count += bucket.buckets;
      elements += bucket.buckets * bucket.elements;
      most_levels = std::max(most_levels, levels);
    }
    if (count < 0.5) return 0;
    const double moved = elements * bytes_.both();
    return compiled_kernel_seconds(
        costs_, count, elements,
        {.instructions = all.instructions / elements,
         .alu = all.alu / elements,
         .wavefronts = all.wavefronts / elements + 2 * global(bytes_.both())},
        {.threads = static_cast<int>(threads),
         .registers = once.registers,
         .shared_bytes = once.shared_bytes + threads * items * (bytes_.key + (bytes_.value > 0 ? kIdBytes : 0)),
         .round_trips = bytes_.value > 0 ? 3 : 2,  // the bucket, its keys, and then its values
         .chained = chained_merge_sort(std::exp2(most_levels), items)},
        {.read = moved, .written = moved, .working_set = 2 * moved, .access = bytes_.key});
  }

  double launch() const { return device_.at("launch_dependent"); }
  double near() const { return device_.at("latency", {device_.cache("shared") / 16}); }
  double far() const { return device_.at("latency", {kBeyondCaches}); }
  int rounds_of_tile() const { return static_cast<int>(std::ceil(items() / kAtOnce)); }
  /// Elements of a thread in a tile.
  double items() const { return static_cast<double>(settings_.tile) / settings_.threads; }
  /// Each segment has a tile that is not full.
  double count_tiles(double elements, double segments) const { return elements / settings_.tile + segments / 2; }

  /// Wavefronts of a warp's ordered access to `bytes` per lane.
  static double global(double bytes) { return bytes / 4; }

  /// Wavefronts of a warp's access to a random place per lane; the share `ordered` lies side by side.
  double random(double bytes, double ordered) const {
    return ordered * bytes / 4 + (1 - ordered) * device_.at("shared_random", {bytes});
  }

  /// Wavefronts of a warp's additions to the counters of random buckets, or to one counter.
  double atomic(double ways, double ordered, bool returns) const {
    return ordered + (1 - ordered) * device_.at("shared_atomic", {ways, returns ? 1.0 : 0.0});
  }

  const SampleCounts& counts(std::string_view passed, double value) const {
    for (const SampleCounts& one : kCounts) {
      if (one.passed == passed && one.key == bytes_.key && one.value == value) return one;
    }
    throw MissingQuantity(
        fmt::format("no operations were counted of '{}', {}-byte keys, {}-byte values", passed, bytes_.key, value));
  }

  const MachineProfile& device_;
  Settings settings_;
  ElementBytes bytes_;
  DeviceCosts costs_;
};

}  // namespace

std::unique_ptr<SampleSortKernels> counted_kernels(const MachineProfile& device, const Settings& settings,
                                                   ElementBytes bytes) {
  return std::make_unique<CountedKernels>(device, settings, bytes);
}

}  // namespace sortlab
