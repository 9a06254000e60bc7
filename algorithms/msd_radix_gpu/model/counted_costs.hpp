// Operations of the parts of msd_radix_gpu's kernels (counts.inc, by static analysis of their code), and their time on
// a device. Nothing of the sort is timed.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/msd_radix_gpu/model/contention.hpp"
#include "algorithms/msd_radix_gpu/model/tree.hpp"
#include "models/kernels/compiled_kernel.hpp"
#include "models/kernels/operation_counts.hpp"

namespace sortlab::msd_counted {

using namespace msd_gpu;
using msd_contention::DigitMix;
using msd_tree::Digits;

/// Operations of a thread on one path through a part of a kernel.
struct MsdCounts {
  std::string_view passed;  ///< name of the path: "alone, partial"
  double key, value;        ///< bytes
  double instructions, alu, multiplied, slow;
  double loads, stores, atomics, shuffles;  ///< operations of shared memory and its pipe
  double votes, barriers;
  double unspilled, spilled;  ///< words that registers do not hold, loaded and stored
  int registers;
  double shared_bytes;

  double accesses() const { return loads + stores + atomics + shuffles; }
};

inline constexpr auto kCounts = std::to_array<MsdCounts>({
#include "algorithms/msd_radix_gpu/model/counts.inc"
});

inline constexpr double kWarp = 32;
inline constexpr double kCounterBytes = 8;  ///< in memory
inline constexpr double kFirstLevelBytes =
    256 * 1024;  ///< first-level cache of a multiprocessor, shared memory included
inline constexpr double kTableValues = 1U << kCountedBits;

/// Work of a block: operations of each of its threads, and wavefronts of all.
struct BlockWork {
  double instructions = 0, alu = 0, multiplied = 0, slow = 0;
  double wavefronts = 0;  ///< wavefronts of a warp
  double chained = 0;     ///< accesses to shared memory that wait for the one before
  double unspilled = 0, spilled = 0;

  void add(const MsdCounts& of, double times = 1) {
    instructions += times * of.instructions;
    alu += times * of.alu;
    multiplied += times * of.multiplied;
    slow += times * of.slow;
    unspilled += times * of.unspilled;
    spilled += times * of.spilled;
  }
  void add(const BlockWork& of, double times = 1) {
    instructions += times * of.instructions;
    alu += times * of.alu;
    multiplied += times * of.multiplied;
    slow += times * of.slow;
    wavefronts += times * of.wavefronts;
    chained += times * of.chained;
    unspilled += times * of.unspilled;
    spilled += times * of.spilled;
  }
};

/// Expected maximum of `of` Poisson numbers of this mean.
inline double largest_poisson(double mean, double of) {
  double at_most = 0, chance = std::exp(-mean), expected = 0;
  for (int k = 0; k < 4096; ++k) {
    at_most += chance;
    const double all = std::pow(std::min(1.0, at_most), of);
    expected += 1 - all;
    if (1 - all < 1e-6) break;
    chance *= mean / (k + 1);
  }
  return expected;
}

/// Costs for one type and number of keys.
class Costs {
 public:
  Costs(const MachineProfile& device, ElementBytes bytes, double n)
      : device_(device), bytes_(bytes), n_(n), costs_(device, sortlab::Level::operations, "msd_radix_gpu", "", bytes) {}

  Operations take_operations() const { return costs_.take_operations(); }

 protected:
  std::uint32_t key_bytes() const { return static_cast<std::uint32_t>(bytes_.key); }
  std::uint32_t value_bytes() const { return static_cast<std::uint32_t>(bytes_.value); }
  double launch() const { return device_.at("launch"); }
  double near() const { return costs_.cached_latency(); }
  double far() const { return device_.at("latency", {working_set()}); }
  double shared_latency() const { return device_.at("latency", {device_.cache("shared") / 16}); }
  /// Number of dependent accesses to shared memory that take this long.
  double as_accesses(double seconds) const { return seconds / std::max(1e-12, shared_latency()); }
  double working_set() const { return 2 * n_ * bytes_.both(); }
  /// Wavefronts of a warp's ordered access to `bytes` per lane.
  static double global(double bytes) { return bytes / 4; }
  double random(double bytes) const { return device_.at("shared_random", {bytes}); }
  /// Wavefronts of a search for equal lanes, in the pipe that it keeps busy.
  double vote(const DigitMix& mix) const {
    const double of = mix.drawn.empty() ? 1 / std::pow(mix.one * mix.one + (1 - mix.one) * (1 - mix.one), mix.bits)
                                        : distinct_drawn(mix, 256);
    return device_.at("match", {std::min(256.0, of)});
  }
  /// Seconds for which all blocks wait for each other: each must see what the others wrote, and their sum.
  double grid_barrier() const { return 2 * device_.at("lookback_hop") + near(); }

  static DigitMix digit_mix(const Digits& digits, int bits, int word_bits) {
    return {.bits = bits,
            .one = 1 - std::pow(digits.hottest, 1.0 / kDigitBits),
            .drawn = digits.drawn,
            .word_bits = word_bits};
  }
  static double distinct_drawn(const DigitMix& mix, double keys) {
    double sum = 0;
    for (const std::vector<std::uint32_t>& drawn : mix.drawn) {
      std::map<std::uint32_t, double> times;
      double once = 0;
      for (const std::uint32_t digit : drawn) times[digit] += 1;
      const double all = static_cast<double>(drawn.size());
      for (const auto& [digit, count] : times) {
        once += count == 1 ? 1 : 0;
        sum += -std::expm1(-keys * count / all);
      }
      // The share of the keys whose digits were not drawn is about that of those drawn once (Good 1953).
      const double unseen = once / all * (std::exp2(mix.bits) - static_cast<double>(times.size()));
      if (unseen > 0) sum += unseen * -std::expm1(-keys * once / all / (unseen + once));
    }
    return sum / static_cast<double>(mix.drawn.size());
  }
  /// Expected number of distinct digits among `keys` keys.
  static double distinct(const DigitMix& mix, double keys) {
    if (!mix.drawn.empty()) return std::max(1.0, distinct_drawn(mix, keys));
    double sum = 0, ways = 1;
    for (int ones = 0; ones <= mix.bits; ++ones) {
      const double share = std::pow(mix.one, ones) * std::pow(1 - mix.one, mix.bits - ones);
      sum += ways * -std::expm1(keys * std::log1p(-std::min(share, 1 - 1e-12)));
      ways = ways * (mix.bits - ones) / (ones + 1);
    }
    return std::max(1.0, sum);
  }

  const MsdCounts& counts(std::string_view passed) const {
    const bool keys_alone =
        passed.starts_with("counted") || passed.starts_with("counting") || passed.starts_with("tables");
    for (const MsdCounts& one : kCounts) {
      if (one.passed == passed && one.key == bytes_.key && one.value == (keys_alone ? 0 : bytes_.value)) return one;
    }
    throw MissingQuantity(fmt::format("no operations were counted of '{}', {}-byte keys, {}-byte values", passed,
                                      bytes_.key, bytes_.value));
  }
  static void mix_in(ExecutedOperations& executed, const MsdCounts& of, double times) {
    executed.instructions += times * of.instructions;
    executed.alu += times * of.alu;
    executed.multiplied += times * of.multiplied;
    executed.slow += times * of.slow;
  }

  /// Seconds of a grid whose blocks take `tiles` similar tiles.
  double block_kernel(const BlockWork& work, double tiles, double elements, const GridShape& shape,
                      const Traffic& traffic) const {
    const double of_element = shape.threads * tiles / elements;
    const ExecutedOperations executed{.instructions = of_element * work.instructions,
                                      .alu = of_element * work.alu,
                                      .wavefronts = of_element * (work.wavefronts + work.unspilled + work.spilled),
                                      .multiplied = of_element * work.multiplied,
                                      .slow = of_element * work.slow};
    GridShape grid = shape;
    grid.persistent = grid.drifts = grid.apart = true;
    grid.chained = work.chained;
    // Spilled words that the first-level cache does not hold go to the second.
    Traffic all = traffic;
    const double resident = std::max(1.0, std::floor(kCountedSharedBytes / std::max(1024.0, shape.shared_bytes)));
    const double room = kFirstLevelBytes - resident * shape.shared_bytes;
    const double blocks = std::min(resident, 2048.0 / shape.threads);
    if (blocks * shape.threads * 4 * work.spilled > room) {
      const double once = tiles * shape.threads * 4 * work.spilled;
      all.spilled = tiles * shape.threads * 4 * (work.unspilled + work.spilled);
      // Data that passes through the second level before they are wanted evicts some to memory, as if at random.
      const double between = blocks * device_.cores * (traffic.read + traffic.written + once) / tiles;
      const double evicted = -std::expm1(-between / device_.cache("L2"));
      all.read += evicted * once;
      all.written += evicted * once;
    }
    return compiled_kernel_seconds(costs_, tiles, elements, executed, grid, all);
  }

  /// Barriers of a block, as accesses to shared memory: its warps arrive at one after the other.
  double waits(double barriers, double threads) const {
    return barriers * (1 + as_accesses(threads / kWarp / device_.at("issue.barrier") / device_.clock_hz));
  }
  /// Wavefronts of a search in a tree, whose first levels lie in different banks.
  double searched(int levels) const {
    double sum = 0;
    for (int level = 0; level < levels; ++level)
      sum += std::exp2(level) * bytes_.key / 4 > kWarp ? random(bytes_.key) : bytes_.key / 4;
    return sum;
  }
  /// Seconds of a block among `resident` ones: its instructions one after the other, or as they are issued.
  double block_seconds(const MsdCounts& of, double threads, double resident) const {
    constexpr double dependent = 4;  // cycles (device_kernel.cpp)
    const double issued = of.instructions * threads / kWarp * resident / device_.at("issue.ffma");
    return std::max(dependent * of.instructions, issued) / device_.clock_hz +
           waits(of.barriers, threads) * shared_latency();
  }
  /// A bitonic network over the words of several warps: steps between warps, and after each row of those a row within.
  double network(const MsdCounts& step, const MsdCounts& row, double warps, double resident) const {
    const double rows = std::log2(warps), steps = rows * (rows + 1) / 2;
    const double threads = warps * kWarp;
    constexpr double first_rows = 3;  // a warp's own words: rows of 2, 4 … 32, half as long on average
    return steps * (block_seconds(step, threads, resident) + shared_latency()) +
           (rows + first_rows) * block_seconds(row, threads, resident);
  }

  const MachineProfile& device_;
  ElementBytes bytes_;
  double n_;
  DeviceCosts costs_;
};

}  // namespace sortlab::msd_counted
