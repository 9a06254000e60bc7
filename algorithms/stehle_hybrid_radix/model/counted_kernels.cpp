// The kernels of the hybrid radix sort from what they execute (counts.inc, by static analysis of their code) and
// from the device. Nothing of the sort is timed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "algorithms/stehle_hybrid_radix/model/kernels.hpp"
#include "generators/thearling.hpp"
#include "models/kernels/compiled_kernel.hpp"

namespace sortlab {
namespace {

using namespace hybrid_radix;
using hybrid_buckets::Local;
using hybrid_buckets::Pass;

/// Operations of a thread on one way through a kernel's loop.
struct HybridCounts {
  std::string_view kernel;
  double key, value;  ///< bytes
  int threads, items;
  double keys;  ///< keys of a thread on that way
  double instructions, alu;
  double loads, stores, atomics;  ///< accesses to shared memory
  int registers, shared_bytes;
};

constexpr std::array kCounts = {
#include "algorithms/stehle_hybrid_radix/model/counts.inc"
};

constexpr double kWarp = 32;
constexpr double kDigits = 256;
constexpr double kCounterBytes = 4;
constexpr double kListResident = 8;  ///< resident blocks of the kernel that makes lists, as their threads allow

class CountedKernels final : public HybridKernels {
 public:
  CountedKernels(const MachineProfile& device, const Settings& settings, ElementBytes bytes)
      : device_(device),
        settings_(settings),
        bytes_(bytes),
        costs_(device, Level::operations, "stehle_hybrid_radix", "", bytes) {}

  double begin(double blocks) const override {
    return launch() + 2 * near() + blocks * kAssignmentBytes / device_.at("write", {4, kBeyondCaches});
  }

  double clear(double buckets) const override {
    const double bytes = buckets * kDigits * kCounterBytes;
    return launch() + near() + bytes / device_.at("write", {4, bytes});
  }

  double count(const Pass& pass, double hottest) const override {
    const std::string name = settings_.thread_reduction ? "count reduced" : "count";
    const HybridCounts& keys = counts(name, 0, 0);
    const HybridCounts& block = counts(name + ", of a block", 0, 0);
    // Equal ones of nine sorted digits are added at once, so that lanes contend with different numbers; without
    // reduction the hardware adds up equal ones.
    const double ends = settings_.thread_reduction ? distinct(hottest, kRun) / kRun : 1;
    const double contention = ends * atomic(hottest, settings_.thread_reduction);
    const double of_key = 1 / keys.keys;
    const double of_block = 1.0 / settings_.items;
    const ExecutedOperations executed{
        .instructions = of_key * keys.instructions + of_block * block.instructions,
        .alu = of_key * keys.alu + of_block * block.alu,
        .wavefronts = global(bytes_.key) + std::max(1 / static_cast<double>(kRun), contention)};
    const double read = pass.keys * bytes_.key;
    const double written = pass.blocks * kDigits * kCounterBytes;
    return kernel(pass.blocks, pass.keys, executed, keys, settings_.threads, 0,
                  {.read = read, .written = written, .working_set = working_set(pass.keys), .access = bytes_.key});
  }

  double scatter(const Pass& pass, double hottest) const override {
    const double hot = settings_.look_ahead ? pass.hot : 0;
    const std::string name = settings_.staging == Staging::beside && bytes_.value > 0 ? "scatter beside" : "scatter";
    const HybridCounts& plain = counts(name, settings_.threads, settings_.items);
    const HybridCounts& ahead = counts(name + " ahead", settings_.threads, settings_.items);
    // The first of three neighbours with one digit reserves for all.
    const double next = hottest * hottest;  // probability that the next one has it, too
    const double share = 1 / (1 + next + next * next);
    const auto mixed = [&](double of_plain, double of_ahead) { return (1 - hot) * of_plain + hot * of_ahead; };
    const double of_thread = 1.0 / settings_.items;
    const double runs = distinct(hottest, settings_.block_keys);
    const double run = settings_.block_keys / runs;  // keys
    const double values = bytes_.value > 0 ? (settings_.staging == Staging::reused ? 2 : 1) : 0;
    // A key is staged at a random place, and read in order with its digit's base; so is a value. Reused memory takes
    // values where the keys were.
    const double staged = 2 + random(bytes_.key, hottest) + bytes_.key / 4 - 1 +
                          (values > 0 ? random(bytes_.value, hottest) + bytes_.value / 4 : 0);
    const double atomics = mixed(1, share) * atomic(hottest, true);
    const ExecutedOperations executed{.instructions = of_thread * mixed(plain.instructions, ahead.instructions),
                                      .alu = of_thread * mixed(plain.alu, ahead.alu),
                                      .wavefronts = staged + atomics + global(bytes_.both()) * (2 + kWarp / run)};
    const double moved = pass.keys * bytes_.both();
    return kernel(
        pass.blocks, pass.keys, executed, plain, settings_.threads,
        scatter_bytes(settings_, static_cast<std::uint32_t>(bytes_.key), static_cast<std::uint32_t>(bytes_.value)),
        {.read = moved + pass.blocks * kDigits * kCounterBytes,
         .written = moved,
         .working_set = working_set(pass.keys),
         .access = bytes_.key,
         .runs = runs,
         .run_bytes = run * bytes_.key});
  }

  /// A block adds up a bucket's counters, then one thread decides bucket by bucket what is merged.
  double sum(double buckets) const override {
    const double rounds = std::ceil(buckets / (kListResident * device_.cores));
    return launch() + rounds * (2 * near() + kDigits * device_.at("latency", {device_.cache("shared") / 16}));
  }

  /// A block lists the sub-buckets of a bucket one after another.
  double list(double buckets, double listed) const override {
    const double waits = settings_.lists == Lists::host ? device_.at("host_sync") + device_.at("copy_back") : 0;
    if (buckets <= 0) return launch() + waits;
    const double rounds = std::ceil(buckets / (kListResident * device_.cores));
    return launch() + waits + rounds * (2 * near() + std::min(kDigits, listed / buckets) * near());
  }

  double local(std::span<const Local> listed, const LocalClasses& classes) const override {
    const double wide = std::max(0.0, device_.at("launch_wide") - device_.at("launch"));
    const bool ranks = settings_.local_sort == LocalSort::ranked;
    double seconds = (ranks ? 2 : 1) * classes.count * (launch() + wide + near());
    for (const Local& one : listed) {
      if (one.buckets <= 0) continue;
      const auto size_class = static_cast<std::size_t>(one.size_class);
      if (ranks && !is_left(one, class_end(classes, size_class, settings_))) {
        seconds += ranked(one, classes.shapes[size_class]) - launch();
      } else {
        seconds += by_block_radix(one, capacity(false, classes, size_class, settings_, bytes_)) - launch();
      }
    }
    return seconds;
  }

  double pairs(bool /*decomposes*/, double n) const override {
    const double bytes = 2 * n * bytes_.both();
    return launch() + device_.at("ramp") + bytes / device_.at("copy", {bytes_.key, bytes});
  }

  Operations take_operations() const override { return costs_.take_operations(); }

 private:
  static constexpr double kAssignmentBytes = 16;  ///< bytes of a block in a list

  double launch() const { return device_.at("launch_dependent"); }
  double near() const { return costs_.cached_latency(); }
  double working_set(double keys) const { return 2 * keys * bytes_.both(); }

  /// Wavefronts of a warp's ordered access to `bytes` per lane.
  static double global(double bytes) { return bytes / 4; }

  /// Probability of a 0 in each bit of a digit, if all bits are alike and the most frequent digit is the one of zeros.
  static double zero(double hottest) { return std::pow(std::max(hottest, 1 / kDigits), 1.0 / kMaxDigitBits); }

  /// Expected number of distinct digits among `keys` keys.
  static double distinct(double hottest, double keys) {
    const double p = zero(hottest);
    double sum = 0, ways = 1;
    for (int ones = 0; ones <= kMaxDigitBits; ++ones) {
      const double share = std::pow(1 - p, ones) * std::pow(p, kMaxDigitBits - ones);
      sum += ways * (1 - std::pow(1 - share, keys));
      ways = ways * (kMaxDigitBits - ones) / (ones + 1);
    }
    return std::max(1.0, sum);
  }

  /// Wavefronts of a warp's atomic addition to the counters of its lanes' digits.
  double atomic(double hottest, bool returns) const {
    const double one = 1 - zero(hottest);
    const double kind = returns ? 1 : 0;
    return std::max(device_.at("shared_atomic_ands", {std::max(0.0, thearling_ands(one)), kind}),
                    device_.at("shared_atomic", {std::min(kDigits, 1 / std::max(hottest, 1 / kDigits)), kind}));
  }

  /// Wavefronts of a warp's access to random places; keys of one digit lie side by side.
  double random(double bytes, double hottest) const {
    return hottest * bytes / 4 + (1 - hottest) * device_.at("shared_random", {bytes});
  }

  const HybridCounts& counts(std::string_view kernel, int threads, int items) const {
    const double value = kernel.starts_with("count") ? 0 : bytes_.value;
    for (const HybridCounts& one : kCounts) {
      if (one.kernel == kernel && one.key == bytes_.key && one.value == value && one.threads == threads &&
          one.items == items) {
        return one;
      }
    }
    throw MissingQuantity(fmt::format("no operations were counted of {}, {} x {}, {}-byte keys, {}-byte values", kernel,
                                      threads, items, bytes_.key, bytes_.value));
  }

  /// CUB's sort, by a block for that many keys.
  double by_block_radix(const Local& one, double keys) const {
    const auto shapes = local_shapes(LocalSort::block_radix, static_cast<std::uint32_t>(bytes_.key),
                                     static_cast<std::uint32_t>(bytes_.value));
    const Shape& shape = *std::ranges::find_if(shapes, [&](const Shape& of) { return of.keys() >= keys; });
    const HybridCounts& first = counts("local first pass", shape.threads, shape.items);
    const HybridCounts& pass = counts("local pass", shape.threads, shape.items);
    const double more = std::max(0.0, std::ceil(one.bits / static_cast<double>(kBlockRadixBits)) - 1);
    const auto each = [&](double of_first, double of_pass) { return (of_first + more * of_pass) / shape.items; };
    // Ranks are exchanged through random places, keys and values each.
    const double exchanged = random(bytes_.key, 0) - 1 + (bytes_.value > 0 ? random(bytes_.value, 0) - 1 : 0);
    const auto accesses = [&](const HybridCounts& of) { return of.loads + of.stores; };
    const double wide_words = (bytes_.key / 4 - 1) + (bytes_.value > 0 ? bytes_.value / 4 - 1 : 0);  // as they are read
    const ExecutedOperations executed{.instructions = each(first.instructions, pass.instructions),
                                      .alu = each(first.alu, pass.alu),
                                      .wavefronts = each(accesses(first), accesses(pass)) +
                                                    (1 + more) * (exchanged + wide_words) + 2 * global(bytes_.both())};
    const double slots = one.buckets * shape.keys();
    const double bytes = one.keys * bytes_.both();
    return kernel(one.buckets, slots, executed, first, shape.threads, 0,
                  {.read = bytes, .written = bytes, .working_set = working_set(one.keys), .access = bytes_.key});
  }

  /// Each key goes into one of about as many bins as there are keys, and is compared with the others of its bin.
  double ranked(const Local& one, const Shape& shape) const {
    const HybridCounts& every = counts("ranked", shape.threads, shape.items);
    const HybridCounts& none = counts("ranked, empty", shape.threads, shape.items);
    const HybridCounts& key = counts("ranked, a key", shape.threads, shape.items);
    const HybridCounts& compared = counts("ranked, compared", shape.threads, shape.items);
    const double in_bucket = one.keys / one.buckets, of_thread = in_bucket / shape.threads;
    const double present = std::ceil(of_thread) / shape.items;
    const double others = count_comparisons(one, shape.keys());
    // A warp waits for its fullest bin; up to three of it are compared without the loop.
    const double rounds = std::floor((1 + largest_of_warp(others)) / compared.keys);
    const double bins = std::exp2(std::floor(std::log2(shape.keys())));
    const auto of = [&](auto number) {
      return (1 - present) * number(none) + present * number(every) +
             of_thread * (number(key) + rounds * number(compared));
    };
    const auto instructions = [](const HybridCounts& counted) { return counted.instructions; };
    const auto alu = [](const HybridCounts& counted) { return counted.alu; };
    const double fixed = none.loads + none.stores + 2 * bins / shape.threads;
    double of_key = 2 * global(bytes_.both()) + 2 * random(4, 0) + random(bytes_.key, 0) + bytes_.key / 4 + key.loads +
                    rounds * compared.loads;
    if (bytes_.value > 0) of_key += random(bytes_.value, 0) + bytes_.value / 4;
    const double per_key = 1 / of_thread;
    const ExecutedOperations executed{
        .instructions = per_key * of(instructions), .alu = per_key * of(alu), .wavefronts = per_key * fixed + of_key};
    const double bytes = one.keys * bytes_.both();
    const GridShape grid{
        .threads = shape.threads,
        .registers = every.registers,
        .shared_bytes = every.shared_bytes + shape.keys() * bytes_.both() + (bins + bins / kWarp + 1) * 4,
        .persistent = true,
        .apart = true,
        .round_trips = bytes_.value > 0 ? 3 : 2};
    return compiled_kernel_seconds(
        costs_, one.buckets, one.keys, executed, grid,
        {.read = bytes, .written = bytes, .working_set = working_set(one.keys), .access = bytes_.key});
  }
  /// Largest of the lanes' numbers, each Poisson-distributed with this mean.
  static double largest_of_warp(double mean) {
    double at_most = 0, chance = std::exp(-mean), expected = 0;
    for (int k = 0; k < 1000; ++k) {
      at_most += chance;
      const double beyond = 1 - std::pow(std::min(1.0, at_most), kWarp);
      if (beyond < 1e-6) break;
      expected += beyond;
      chance *= mean / (k + 1);
    }
    return expected;
  }

  /// A grid of resident blocks that take tile after tile.
  double kernel(double tiles, double elements, const ExecutedOperations& executed, const HybridCounts& of, int threads,
                double dynamic_bytes, const Traffic& traffic) const {
    const GridShape shape{.threads = threads,
                          .registers = of.registers,
                          .shared_bytes = of.shared_bytes + dynamic_bytes,
                          .persistent = true};
    return compiled_kernel_seconds(costs_, tiles, elements, executed, shape, traffic);
  }

  const MachineProfile& device_;
  Settings settings_;
  ElementBytes bytes_;
  DeviceCosts costs_;
};

}  // namespace

std::unique_ptr<HybridKernels> counted_kernels(const MachineProfile& device, const Settings& settings,
                                               ElementBytes bytes) {
  return std::make_unique<CountedKernels>(device, settings, bytes);
}

}  // namespace sortlab
