// The kernels of Sortlab's own radix sort from what they execute (msd_counts.inc, by static analysis of their code) and
// from the device. Nothing of the sort is timed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

#include "models/device/compiled_kernel.hpp"
#include "models/device/msd_contention.hpp"
#include "models/device/msd_kernels.hpp"
#include "models/device/operation_counts.hpp"

namespace sortlab {
namespace {

using namespace msd_gpu;
using msd_contention::Contention;
using msd_contention::contention_of;
using msd_contention::DigitMix;
using msd_tree::Buckets;
using msd_tree::Digits;
using msd_tree::Kinds;
using msd_tree::Tree;

/// What a thread executes on one way through a part of a kernel.
struct MsdCounts {
  std::string_view passed;
  double key, value;  ///< bytes
  double instructions, alu, multiplied, slow;
  double loads, stores, atomics, shuffles;  ///< of shared memory and its pipe
  double votes, barriers;
  double unspilled, spilled;  ///< words that registers do not hold, loaded and stored
  int registers;
  double shared_bytes;

  double accesses() const { return loads + stores + atomics + shuffles; }
};

constexpr std::array kCounts = {
#include "models/device/msd_counts.inc"
};

constexpr double kWarp = 32;
constexpr double kCounterBytes = 8;              ///< in memory
constexpr double kFirstLevelBytes = 256 * 1024;  ///< of a multiprocessor, shared memory included
constexpr double kTableValues = 1U << kCountedBits;

/// Of a block: of each of its threads, and wavefronts of all.
struct BlockWork {
  double instructions = 0, alu = 0, multiplied = 0, slow = 0;
  double wavefronts = 0;  ///< of a warp
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

/// The largest of so many Poisson numbers of this mean.
double largest_poisson(double mean, double of) {
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

class CountedKernels final : public MsdKernels {
 public:
  CountedKernels(const MachineProfile& device, ElementBytes bytes, double n)
      : device_(device),
        bytes_(bytes),
        n_(n),
        costs_(device, sortlab::Level::operations, "msd_radix_gpu", "", bytes),
        top_(top_of(static_cast<std::uint64_t>(n), key_bytes(), value_bytes())) {}

  // Sorts that are one kernel

  double few(const Kinds& kinds) const override {
    const int c = few_class(static_cast<std::uint64_t>(n_), key_bytes(), value_bytes());
    return bucket_kernel(c, kinds, 1, n_) + (kinds.uneven > 0.5 ? uneven_kernel(c, 1, n_) - launch() : 0);
  }

  double one_level(const Tree& tree, double in_order) const override {
    const double cores = device_.cores;
    const double items = one_level_items_for(static_cast<std::uint64_t>(n_), static_cast<std::uint64_t>(cores),
                                             key_bytes(), value_bytes());
    const double blocks = std::min(cores, std::ceil(n_ / kOneBlockKeys));
    const double windows = one_level_windows(static_cast<std::uint32_t>(n_), static_cast<std::uint32_t>(blocks),
                                             static_cast<std::uint32_t>(items * kMostThreads));
    const int class_bits = one_level_class_bits(static_cast<std::uint32_t>(windows));
    const double sorted = 1 - tree.kinds.equal;
    double seconds = launch() + choose(tree.is_split, static_cast<int>(items));
    seconds += order_tiles(tree, items, blocks, class_bits, in_order) + grid_barrier();
    seconds += tree.copied_classes * copy_of_class(n_ * tree.kinds.equal / std::max(1.0, tree.copied_classes) / blocks);
    if (sorted > 0) seconds += sort_windows(tree, items, blocks, windows, sorted);
    return seconds;
  }

  // All keys

  double count(const Tree& tree, double in_order) const override {
    const double further = top_.wide ? 0 : 2 * (launch() + 3 * near());
    const double judged = counts_buckets(static_cast<std::uint64_t>(n_), key_bytes(), value_bytes()) ? 0 : 2 * far();
    if (tree.skips_top) return launch() + judged + further;
    const int packed = top_.bits() > 16 ? 4 : 2;
    const std::string name = fmt::format("count {}", packed);
    const MsdCounts& plain = counts(name);
    const MsdCounts& at_once = counts(name + ", at once");
    const MsdCounts& word = counts(name + ", a word");
    const int word_bits = top_.bits() - (packed == 4 ? 2 : 1);
    const DigitMix mix = mix_of(tree.top, top_.bits(), word_bits);
    const Contention met = in_order > 0.5 ? Contention{.hot = 1} : contention_of(mix);
    const double keys = bytes_.key == 4 ? 16 : 8;  // of a thread at once
    ExecutedOperations executed;
    mix_in(executed, plain, (1 - met.hot) / keys);
    mix_in(executed, at_once, met.hot / keys);
    executed.wavefronts = global(bytes_.key) + (1 - met.hot) * met.placed + met.hot * (met.placed_hot - 1) +
                          plain.votes / keys * vote(mix);
    // Warps wait for each other only where counters are read.
    const double batches = n_ / keys / kWarp;
    double seconds =
        compiled_kernel_seconds(costs_, batches, n_, executed,
                                {.threads = 32, .registers = plain.registers, .shared_bytes = 1024, .persistent = true},
                                {.read = n_ * bytes_.key, .working_set = working_set(), .access = bytes_.key});
    const double share = n_ / device_.cores;
    const double flushes = std::max(1.0, share * tree.top.most / ((1 << (32 / packed)) * 0.75));
    const double words = std::exp2(word_bits);
    const double of_thread = words / kTopThreads;
    const double each = of_thread * word.instructions * (kTopThreads / kWarp) / device_.at("issue.ffma");
    const double counters = std::min(share, distinct(mix, share));
    const double added = device_.cores * counters * kCounterBytes / device_.at("write", {8, device_.cache("L2") / 4});
    seconds += judged + flushes * (each / device_.clock_hz + added + near());
    return seconds + further;
  }

  double first(const Tree& tree, double in_order) const override {
    if (tree.first_moved <= 0) return launch() + near();
    const double blocks = kBlocks * device_.cores - (top_.wide ? 1 : 0);
    const double tile =
        tile_size(static_cast<std::uint64_t>(n_), static_cast<std::uint64_t>(blocks), key_bytes(), value_bytes());
    const int bits = top_.wide ? top_.bits() : top_.first_bits;
    const Digits& digits = top_.wide ? tree.top : tree.first;
    const std::string name = top_.wide ? "move wide" : fmt::format("move first {}", 1 << std::max(8, bits));
    return moved({.kernel = name,
                  .keys = n_,
                  .tiles = std::ceil(n_ / tile),
                  .mix = mix_of(digits, bits, bits),
                  .most = digits.most,
                  .digits = top_.wide ? 1024.0 : std::exp2(std::max(8, bits)),
                  .lists = 1,
                  .in_order = in_order});
  }

  double second(const Tree& tree, double in_order) const override {
    if (tree.second_moved <= 0) return launch() + near();
    return moved({.kernel = "move",
                  .keys = tree.second_moved,
                  .tiles = tiles_of(tree.second_moved, tree.top_segments),
                  .segments = tree.top_segments,
                  .mix = mix_of(tree.second, top_.second_bits, top_.second_bits),
                  .most = tree.second.most,
                  .digits = kDigits,
                  .lists = 3,
                  .in_order = in_order});
  }

  // Levels

  double stepped(const msd_tree::Level* level, double in_order) const override {
    if (level == nullptr || level->segments + level->copied <= 0) return 4 * (launch() + near());
    return 4 * (launch() + near()) + of_level(*level, in_order, false);
  }
  double together(std::span<const msd_tree::Level> levels, double in_order) const override {
    double seconds = launch() + near();
    for (const msd_tree::Level& level : levels)
      seconds += near() + 4 * grid_barrier() + of_level(level, in_order, true);
    return seconds;
  }

  // Buckets

  double buckets(const Tree& tree, bool counts) const override {
    double seconds = (kClasses + 1 + (counts ? 3 : 0)) * (launch() + near());
    double left = 0, left_keys = 0;  // to the kernel of uneven buckets
    for (const Buckets& list : tree.buckets) {
      if (list.list == kCounted) {
        seconds += counted(list);
        continue;
      }
      seconds += bucket_kernel(list.list, list.kinds, list.buckets, list.keys) - launch();
      const double uneven = list.kinds.uneven * list.buckets, keys = list.kinds.uneven * list.keys;
      if (uneven < 0.5) continue;
      if (list.list == kClasses - 1) {
        seconds += uneven_kernel(list.list, uneven, keys) - launch();
      } else {
        left += uneven;
        left_keys += keys;
      }
    }
    if (left > 0) seconds += uneven_kernel(kClasses - 2, left, left_keys) - launch();
    if (tree.tables.tables > 0) seconds += tables(tree.tables);
    return seconds;
  }

 private:
  std::uint32_t key_bytes() const { return static_cast<std::uint32_t>(bytes_.key); }
  std::uint32_t value_bytes() const { return static_cast<std::uint32_t>(bytes_.value); }
  double launch() const { return device_.at("launch"); }
  double near() const { return costs_.cached_latency(); }
  double far() const { return device_.at("latency", {working_set()}); }
  double shared_latency() const { return device_.at("latency", {device_.cache("shared") / 16}); }
  double working_set() const { return 2 * n_ * bytes_.both(); }
  /// Wavefronts of a warp's access to so many bytes a lane in order.
  static double global(double bytes) { return bytes / 4; }
  double random(double bytes) const { return device_.at("shared_random", {bytes}); }
  /// A search for equal lanes, as wavefronts of the pipe that it keeps.
  double vote(const DigitMix& mix) const {
    const double of = mix.drawn.empty() ? 1 / std::pow(mix.one * mix.one + (1 - mix.one) * (1 - mix.one), mix.bits)
                                        : distinct_drawn(mix, 256);
    return device_.at("match", {std::min(256.0, of)});
  }
  /// All blocks wait for each other: what each wrote is seen by all, as a block sees what another notes, before the
  /// last has added itself up, and so does the sum.
  double grid_barrier() const { return 2 * device_.at("lookback_hop") + near(); }

  static DigitMix mix_of(const Digits& digits, int bits, int word_bits) {
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
  /// Different digits among so many keys.
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

  /// A grid of blocks that take so many tiles, all alike.
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
    // What the first-level cache does not hold of spilled words goes to the second.
    Traffic all = traffic;
    const double resident = std::max(1.0, std::floor(kCountedSharedBytes / std::max(1024.0, shape.shared_bytes)));
    const double room = kFirstLevelBytes - resident * shape.shared_bytes;
    const double blocks = std::min(resident, 2048.0 / shape.threads);
    if (blocks * shape.threads * 4 * work.spilled > room) {
      const double once = tiles * shape.threads * 4 * work.spilled;
      all.spilled = tiles * shape.threads * 4 * (work.unspilled + work.spilled);
      // Where as much as the second level holds passes through it before they are wanted, they go on to memory.
      const double between = blocks * device_.cores * (traffic.read + traffic.written + once) / tiles;
      if (between > device_.cache("L2")) {
        all.read += once;
        all.written += once;
      }
    }
    return compiled_kernel_seconds(costs_, tiles, elements, executed, grid, all);
  }

  // Moving tiles

  double tiles_of(double keys, double segments) const {
    return keys / tile_elements(key_bytes(), value_bytes()) + segments / 2;
  }
  struct Move {
    std::string kernel;
    double keys = 0;
    double tiles = 0;
    double segments = 0;  ///< 0: all tiles are alike
    DigitMix mix;
    double most = 0;    ///< share of the most frequent digit
    double digits = 0;  ///< that the stage has room for
    double lists = 0;   ///< dependent reads of lists in memory before a tile is read
    double in_order = 0;
    bool classes = false;  ///< between splitters
  };
  /// Where segments are many, the last tile of each is half full on average.
  double moved(const Move& move) const {
    const double full = tile_elements(key_bytes(), value_bytes());
    const double last = std::min(move.segments, move.tiles), others = move.tiles - last;
    const double of_last = std::max(512.0, (move.keys - others * full) / std::max(1.0, last));
    BlockWork work;
    double runs = 1;
    const Contention met = move.in_order > 0.5 ? Contention{.hot = 1} : contention_of(move.mix);
    if (move.segments > 0) {
      const double share = others / move.tiles;
      work.add(of_tile(move, met, full, runs), share);
      work.add(of_tile(move, met, of_last, runs), 1 - share);
    } else {
      work = of_tile(move, met, move.keys / move.tiles, runs);
    }
    const double tile = move.keys / move.tiles;
    runs = move.in_order > 0.5 ? 0 : distinct(move.mix, tile);
    const MsdCounts& alone = counts(move.kernel + ", alone");
    const double stage = full * bytes_.both() + move.digits * (kCounterBytes + 4) +
                         (move.digits == kDigits ? kDigits * bytes_.key + full : 0) + (move.digits > 512 ? 4096 : 0);
    const double moved_bytes = move.keys * bytes_.both();
    return block_kernel(work, move.tiles, move.keys,
                        {.threads = kThreads, .registers = alone.registers, .shared_bytes = alone.shared_bytes + stage},
                        {.read = moved_bytes,
                         .written = moved_bytes,
                         .working_set = working_set(),
                         .access = bytes_.key,
                         .runs = runs,
                         .run_bytes = runs > 0 ? tile / runs * bytes_.key : 0});
  }
  BlockWork of_tile(const Move& move, const Contention& met, double tile, double& runs) const {
    const double full = tile_elements(key_bytes(), value_bytes());
    const bool is_partial = !move.classes && tile < 0.95 * full;
    const std::string tail = is_partial ? ", partial" : "";
    const MsdCounts& alone = counts(move.kernel + ", alone" + tail);
    const MsdCounts& at_once = counts(move.kernel + ", at once" + tail);
    const double present = std::min(1.0, tile / full);  // of a thread's items
    BlockWork work;
    work.add(alone, present * (1 - met.hot));
    work.add(at_once, present * met.hot);
    runs = move.in_order > 0.5 ? 2 : distinct(move.mix, tile);
    const double run = tile / runs;
    const double together = move.in_order > 0.5 ? 0 : move.most;  // lanes whose places are neighbours
    const auto placed = [&](double bytes) { return together * bytes / 4 + (1 - together) * random(bytes); };
    double wavefronts = met.added + (1 - met.hot) * met.placed + met.hot * met.placed_hot + placed(bytes_.key) +
                        bytes_.key / 4 + 2 + global(bytes_.both()) * (2 + kWarp / run);
    if (bytes_.value > 0) wavefronts += placed(bytes_.value) + bytes_.value / 4;
    if (move.classes) wavefronts += searched(kDigitBits) + random(4) + 1;
    work.wavefronts = wavefronts * tile / kThreads + present * met.hot * at_once.shuffles;
    // A block waits for its tile's number, for the lists, and for the runs that it reserves.
    work.chained = waits(alone.barriers, kThreads) + (2 + move.lists) * near() / shared_latency();
    return work;
  }
  /// Barriers of a block, as accesses to shared memory: its warps arrive at one after the other.
  double waits(double barriers, double threads) const {
    return barriers * (1 + threads / kWarp / device_.at("issue.barrier") / device_.clock_hz / shared_latency());
  }
  /// Wavefronts of a search in a tree, whose first levels lie in different banks.
  double searched(int levels) const {
    double sum = 0;
    for (int level = 0; level < levels; ++level)
      sum += std::exp2(level) * bytes_.key / 4 > kWarp ? random(bytes_.key) : bytes_.key / 4;
    return sum;
  }

  // Levels

  double of_level(const msd_tree::Level& level, double in_order, bool together) const {
    double seconds = 0;
    const bool few_drawn =
        level.keys <= level.segments * static_cast<double>(few_drawn_elements(key_bytes(), value_bytes()));
    const bool may_sample = !counts_buckets(static_cast<std::uint64_t>(n_), key_bytes(), value_bytes());
    if (may_sample && level.segments > 0) seconds += sampled_segments(level.segments, few_drawn ? 2 : 8);
    const double split = level.split_keys, plain = level.keys - split;
    if (plain > 0) seconds += count_level(plain, false) - launch();
    if (split > 0) seconds += count_level(split, true) - launch();
    seconds += std::ceil(level.segments / device_.cores / kBlocks) * 5 * near();
    const double moves = level.keys > 0 ? level.moved / level.keys : 0;
    for (const bool by_splitters : {false, true}) {
      const double keys = moves * (by_splitters ? split : plain);
      const double segments = by_splitters ? level.split_segments : level.segments - level.split_segments;
      if (keys <= 0) continue;
      const std::string name = together ? "levels" : "move";
      seconds += moved({.kernel = by_splitters ? name + " classes" : name,
                        .keys = keys,
                        .tiles = tiles_of(keys, segments),
                        .segments = segments,
                        .mix = by_splitters ? DigitMix{} : mix_of(level.digits, kDigitBits, kDigitBits),
                        .most = by_splitters ? 1.0 / kDigits : level.digits.most,
                        .digits = kDigits,
                        .lists = 3,
                        .in_order = in_order,
                        .classes = by_splitters}) -
                 launch();
    }
    const double copied = level.filled * bytes_.key + level.copied * bytes_.both();
    if (copied > 0) seconds += 2 * copied / device_.at("copy", {bytes_.key, working_set()});
    return seconds;
  }
  double count_level(double keys, bool classes) const {
    const MsdCounts& of = counts(classes ? "count classes" : "count tile");
    const double at_once = bytes_.key == 4 ? (classes ? 8 : 16) : (classes ? 4 : 8);
    ExecutedOperations executed;
    mix_in(executed, of, 1 / at_once);
    executed.wavefronts =
        global(bytes_.key) + device_.at("shared_atomic", {kDigits, 0}) + (classes ? searched(kDigitBits) : 0);
    return compiled_kernel_seconds(costs_, keys / at_once / kWarp, keys, executed,
                                   {.threads = 32, .registers = of.registers, .shared_bytes = 1024, .persistent = true},
                                   {.read = keys * bytes_.key, .working_set = working_set(), .access = bytes_.key});
  }
  /// A block draws and sorts a sample of a segment, of so many keys a thread.
  double sampled_segments(double segments, double of_thread) const {
    const std::string name = fmt::format("sample {:.0f}, a ", of_thread);
    const double resident = kBlocks;
    const double rounds = std::ceil(segments / device_.cores / resident);
    return 2 * far() +
           rounds * (far() + network(counts(name + "step"), counts(name + "row"), kThreads / kWarp, resident) +
                     block_seconds(counts("sample, once"), kThreads, resident));
  }
  /// Of a block among so many resident ones: its instructions one after the other, or as they are issued.
  double block_seconds(const MsdCounts& of, double threads, double resident) const {
    constexpr double dependent = 4;  // cycles (device_kernel.cpp)
    const double issued = of.instructions * threads / kWarp * resident / device_.at("issue.ffma");
    return std::max(dependent * of.instructions, issued) / device_.clock_hz +
           waits(of.barriers, threads) * shared_latency();
  }
  /// A bitonic network over the words of so many warps: steps between them, and after each row of those a row within.
  double network(const MsdCounts& step, const MsdCounts& row, double warps, double resident) const {
    const double rows = std::log2(warps), steps = rows * (rows + 1) / 2;
    const double threads = warps * kWarp;
    constexpr double first_rows = 3;  // a warp's own words: rows of 2, 4 … 32, half as long on average
    return steps * (block_seconds(step, threads, resident) + shared_latency()) +
           (rows + first_rows) * block_seconds(row, threads, resident);
  }

  // Buckets

  /// Keys of a bucket that one of so many bins has, and comparisons that they need.
  BlockWork bucket_work(int c, const Shape& shape, const MsdCounts& full, const MsdCounts& empty, double each,
                        bool is_even) const {
    const double present = std::ceil(each / shape.threads), items = shape.items;
    const double bins = std::bit_floor(shape.elements());
    const double in_row = shape.items % 4 == 0 ? 4 : shape.items % 3 == 0 ? 3 : shape.items % 2 == 0 ? 2 : 1;
    BlockWork work;
    work.add(empty, 1 - present / items);
    work.add(full, present / items);
    double of_key =
        in_row * global(bytes_.key) + global(bytes_.both()) + 2 * random(4) + random(bytes_.key) + bytes_.key / 4;
    if (bytes_.value > 0) of_key += random(bytes_.value) + bytes_.value / 4 + in_row * global(bytes_.value);
    work.wavefronts = empty.accesses() + of_key * each / shape.threads;
    work.chained = waits(full.barriers, shape.threads);
    if (!is_even) return work;
    const double mean = each / bins;
    if (bytes_.value == 0) {
      // A warp's bins, neighbours compared until the longest is in order.
      const MsdCounts& pass = counts(fmt::format("bucket {}, a pass", c));
      const double most = largest_poisson(mean, bins / shape.threads * kWarp);
      const double times = 2 * bytes_.key / 4 / pass.shuffles * std::max(0.0, most / 2 - 1);
      work.add(pass, times);
      work.wavefronts += times * pass.shuffles + 2 * (items + 2) * bytes_.key / 4;
    } else {
      const MsdCounts& insertion = counts(fmt::format("bucket {}, an insertion", c));
      const MsdCounts& shift = counts(fmt::format("bucket {}, a shift", c));
      const double of_thread = each / shape.threads, inverted = of_thread * mean / 4;
      const double longest = largest_poisson(of_thread, kWarp), shifts = largest_poisson(inverted, kWarp);
      work.add(insertion, longest);
      work.add(shift, shifts);
      work.wavefronts += longest * random(bytes_.key) + shifts * shift.accesses() * random(bytes_.key);
      work.chained += longest + shifts;
    }
    return work;
  }
  GridShape bucket_shape(const Shape& shape, const MsdCounts& of) const {
    return {.threads = shape.threads,
            .registers = of.registers,
            .shared_bytes = of.shared_bytes + bucket_stage_bytes(shape, key_bytes(), value_bytes()),
            .round_trips = bytes_.value > 0 ? 3 : 2};  // its entry in the list, keys, values
  }
  Traffic bucket_traffic(double keys) const {
    const double bytes = keys * bytes_.both();
    return {.read = bytes, .written = bytes, .working_set = working_set(), .access = bytes_.key};
  }
  double bucket_kernel(int c, const Kinds& kinds, double buckets, double keys) const {
    const Shape shape = class_shape(c, key_bytes(), value_bytes());
    const MsdCounts& full = counts(fmt::format("bucket {}", c));
    const MsdCounts& empty = counts(fmt::format("bucket {}, empty", c));
    const MsdCounts& rejected = counts(fmt::format("bucket {}, rejected", c));
    const double each = keys / buckets;
    BlockWork work;
    work.add(bucket_work(c, shape, full, empty, each, true), kinds.even);
    work.add(bucket_work(c, shape, full, empty, each, false), kinds.equal);
    if (kinds.uneven > 0) work.add(bucket_work(c, shape, rejected, empty, each, false), kinds.uneven);
    return block_kernel(work, buckets, keys, bucket_shape(shape, full), bucket_traffic(keys));
  }
  /// Buckets that are cut by a sample.
  BlockWork uneven_work(const Shape& shape, double each) const {
    const MsdCounts& full = counts("uneven");
    const MsdCounts& empty = counts("uneven, empty");
    const MsdCounts& step = counts("uneven, a step");
    const MsdCounts& row = counts("uneven, a row");
    const MsdCounts& key = counts("uneven, a key");
    const MsdCounts& compared = counts("uneven, four compared");
    const double items_counted = class_shape(kClasses - 2, key_bytes(), value_bytes()).items;
    const double of_thread = each / shape.threads;
    const double present = std::min<double>(shape.items, std::ceil(of_thread));
    const double sample = std::bit_floor(shape.elements()) / 16.0, rows = std::max(0.0, std::log2(sample / kWarp));
    const double steps = rows * (rows + 1) / 2;
    const double sorters = std::min(1.0, sample / shape.threads);  // share of the threads
    BlockWork work;
    work.add(empty, 1 - present / items_counted);
    work.add(full, present / items_counted);
    work.add(step, sorters * steps);
    work.add(row, sorters * (rows + 3));
    // A gap's keys lie in eight bins; a warp waits for its fullest.
    const double in_bin = each / sample / 8;
    const double compares = 1 + largest_poisson(in_bin, kWarp) / 4;
    work.add(key, of_thread);
    work.add(compared, of_thread * compares);
    const double levels = std::log2(sample);
    double of_key = global(bytes_.key) + global(bytes_.both()) + searched(static_cast<int>(levels)) +
                    2 * random(bytes_.key) + 3 * random(4) + random(bytes_.key) + 2 + 4 * compares;
    if (bytes_.value > 0) of_key += random(bytes_.value) + bytes_.value / 4 + global(bytes_.value);
    work.wavefronts = empty.accesses() + 9 * 2 + of_key * of_thread;
    work.chained = waits(full.barriers + steps, shape.threads) + steps + levels * present / 5 + of_thread * 3;
    return work;
  }
  double uneven_kernel(int c, double buckets, double keys) const {
    const Shape shape = class_shape(c, key_bytes(), value_bytes());
    return block_kernel(uneven_work(shape, keys / buckets), buckets, keys, bucket_shape(shape, counts("uneven")),
                        bucket_traffic(keys));
  }

  // Keys of 32 bits alone with few bits left

  double counted(const Buckets& list) const {
    const double fits = list.buckets - list.long_buckets, fit_keys = list.keys - list.long_keys;
    const double each = fits > 0.5 ? fit_keys / fits : 0;
    double seconds = 0;
    const double left = list.kinds.uneven + list.kinds.equal;  // to counters of 16 bits
    const double even = (1 - left) * fits;
    const MsdCounts& bucket = counts("counted, a bucket");
    const MsdCounts& eight = counts("counted, eight keys");
    if (even >= 0.5) {
      const MsdCounts& written = counts("counted, four written");
      const MsdCounts& out = counts("counted, four out");
      const double of_thread = each / kThreads, longest = largest_poisson(of_thread, kWarp);
      BlockWork work;
      work.add(bucket);
      work.add(eight, of_thread / 8);
      work.add(written, longest / 4);
      work.add(out, of_thread / 4);
      work.wavefronts =
          bucket.accesses() + 4 * 4 + of_thread * (2 * global(4) + random(4) + 0.5) + longest * 2 * random(4);
      work.chained = waits(bucket.barriers, kThreads) + longest;
      seconds +=
          block_kernel(
              work, even, even * each, counted_shape(bucket),
              {.read = even * each * 4, .written = even * each * 4, .working_set = working_set(), .access = 16}) -
          launch();
    }
    if (left * fits >= 0.5) {  // what finds out
      BlockWork work;
      work.add(bucket);
      work.add(eight, each / kThreads / 8);
      const double distinct_words = list.kinds.equal > 0.5 ? 1 : random(4);
      work.wavefronts = bucket.accesses() + each / kThreads * (global(4) + distinct_words);
      work.chained = waits(bucket.barriers, kThreads);
      seconds += block_kernel(work, left * fits, left * fit_keys, counted_shape(bucket),
                              {.read = left * fit_keys * 4, .working_set = working_set(), .access = 16}) -
                 launch();
    }
    const double long_buckets = left * fits + list.long_buckets, long_keys = left * fit_keys + list.long_keys;
    if (long_buckets >= 0.5) seconds += counted_long(long_buckets, long_keys, list.kinds.equal > 0.5) - launch();
    return seconds;
  }
  static GridShape counted_shape(const MsdCounts& of) {
    return {.threads = kThreads,
            .registers = of.registers,
            .shared_bytes = of.shared_bytes + kTableValues / 2 + (class_shape(1, 4, 0).elements() + 4) * 2,
            .round_trips = 2};
  }
  /// A block counts a bucket in counters of 16 bits, notes heads and fills the rest.
  double counted_long(double buckets, double keys, bool equal) const {
    const MsdCounts& plain = counts(equal ? "counting, at once" : "counting");
    const MsdCounts& words = counts("counting, four words");
    const MsdCounts& heads = counts("counting, four heads");
    const MsdCounts& window = counts("counting, a window");
    constexpr double kRowsKeys = 12 * 4.0;  // of a thread, in all rows of a window
    const double each = keys / buckets, of_thread = each / kMostThreads;
    const double quads = kTableValues / 2 / 4 / kMostThreads;
    const double windows = std::ceil(of_thread / kRowsKeys);
    BlockWork work;
    work.add(words, quads);
    work.add(heads, quads * windows * 0.5);
    work.add(window, of_thread / kRowsKeys);
    work.wavefronts = of_thread * global(4) + quads * (4 + windows * 4) + of_thread / kRowsKeys * window.accesses() * 2;
    work.chained = waits(6 + 4 * windows, kMostThreads);
    const double bytes = keys * 4;
    return block_kernel(
        work, buckets, keys,
        {.threads = kMostThreads, .registers = plain.registers, .shared_bytes = kSharedBytes, .round_trips = 3},
        {.written = bytes, .working_set = working_set(), .access = 4});
  }
  /// Keys that a block counts in 16 bits: between barriers its warps do not wait for each other.
  double counted_by_warps(const MsdCounts& of, double keys, bool equal) const {
    constexpr double at_once = 16;
    ExecutedOperations executed;
    mix_in(executed, of, 1 / at_once);
    executed.wavefronts = global(4) + (equal ? 0.1 : random(4));
    return compiled_kernel_seconds(costs_, keys / at_once / kWarp, keys, executed,
                                   {.threads = 32, .registers = of.registers, .shared_bytes = 1024, .persistent = true},
                                   {.read = keys * 4, .working_set = working_set(), .access = 4});
  }
  double tables(const msd_tree::Tables& tables) const {
    const bool equal = tables.kinds.equal > 0.5;
    const MsdCounts& plain = counts(equal ? "counting, at once" : "counting");
    const MsdCounts& flush = counts("tables, four words");
    const MsdCounts& values = counts("tables, sixteen values");
    const MsdCounts& chunk = counts("tables, a chunk");
    const double chunks = tables.keys / kChunk + tables.tables / 2,
                 of_thread = kChunk / static_cast<double>(kMostThreads);
    BlockWork flushing, filling;
    flushing.add(flush, kTableValues / 2 / 4 / kMostThreads);
    flushing.wavefronts = kTableValues / 2 / kMostThreads;
    flushing.chained = waits(2, kMostThreads) + 2;
    filling.add(values, kTableValues / 16 / kMostThreads * kChunk * tables.tables / std::max(1.0, tables.keys));
    filling.add(chunk);
    filling.wavefronts = of_thread * global(4) + 2 * chunk.accesses();
    filling.chained = waits(5, kMostThreads) + 2;
    const GridShape shape{
        .threads = kMostThreads, .registers = plain.registers, .shared_bytes = kSharedBytes, .round_trips = 2};
    const double bytes = tables.keys * 4;
    // Two counters of 4 bytes at once, where either is not 0.
    const double values_left = std::min(kTableValues, tables.keys / tables.tables);
    const double pairs =
        kTableValues / 2 * (equal ? 0.01 : -std::expm1(-2.0 * kChunk / std::max(values_left, kTableValues)));
    const double added = chunks * pairs * kCounterBytes / device_.at("write", {8, device_.cache("L2") / 4});
    return 3 * grid_barrier() + counted_by_warps(plain, tables.keys, equal) +
           block_kernel(flushing, chunks, tables.keys, shape, {}) - launch() + added +
           block_kernel(filling, chunks, tables.keys, shape,
                        {.written = bytes, .working_set = working_set(), .access = 4}) -
           2 * launch() + std::ceil(tables.tables / device_.cores) * 4 * far();
  }

  // One level

  double choose(bool splits, int items) const {
    const double sample = one_level_sample(items, key_bytes(), value_bytes());
    double seconds = 2 * far() + block_seconds(counts("one, a round"), kMostThreads, 1);
    if (splits) {
      const double of_thread = sample / kMostThreads;
      MsdCounts step = counts("sample 2, a step"), row = counts("sample 2, a row");
      step.instructions *= of_thread / 2;
      row.instructions *= of_thread / 2;
      seconds += network(step, row, kMostThreads / kWarp, 1) +
                 block_seconds(counts("one, a round between splitters"), kMostThreads, 1) -
                 block_seconds(counts("one, a round"), kMostThreads, 1);
    }
    return seconds;
  }
  GridShape one_shape(const MsdCounts& of, int trips) const {
    return {.threads = kMostThreads, .registers = of.registers, .shared_bytes = kSharedBytes, .round_trips = trips};
  }
  double order_tiles(const Tree& tree, double items, double blocks, int class_bits, double in_order) const {
    const std::string name = fmt::format("one {:.0f}, ", items);
    const MsdCounts& full = counts(name + "a tile");
    const MsdCounts& at_once = counts(name + "a tile at once");
    const MsdCounts& empty = counts(name + "no tile");
    const double each = n_ / blocks, present = std::ceil(each / kMostThreads);
    const double most = tree.copied_classes > 0 ? tree.kinds.equal / tree.copied_classes : std::exp2(-class_bits);
    const Contention met = in_order > 0.5 ? Contention{.hot = 1}
                                          : contention_of({.bits = class_bits,
                                                           .one = std::min(0.5, 1 - std::pow(most, 1.0 / class_bits)),
                                                           .drawn = {},
                                                           .word_bits = class_bits});
    BlockWork work;
    work.add(empty, 1 - present / items);
    work.add(full, present / items * (1 - met.hot));
    work.add(at_once, present / items * met.hot);
    double of_key = global(bytes_.both()) * 2 + (1 - met.hot) * met.placed + met.hot * met.placed_hot + random(4) +
                    random(bytes_.key) + bytes_.key / 4;
    if (bytes_.value > 0) of_key += random(bytes_.value) + bytes_.value / 4;
    work.chained = waits(full.barriers, kMostThreads);
    if (tree.is_split) {
      constexpr double of_step = 9;  // instructions of a loop that the compiler was told to leave rolled up
      work.instructions += present * class_bits * of_step;
      work.alu += present * class_bits * of_step / 2;
      of_key += searched(class_bits);
      work.chained += present * class_bits;
    }
    work.wavefronts = empty.accesses() + of_key * each / kMostThreads + present / items * met.hot * at_once.shuffles;
    const double bytes = n_ * bytes_.both();
    return block_kernel(work, blocks, n_, one_shape(full, bytes_.value > 0 ? 2 : 1),
                        {.read = bytes, .written = bytes, .working_set = working_set(), .access = bytes_.key}) -
           device_.at("launch_dependent");
  }
  /// A block copies its run of a class.
  double copy_of_class(double keys) const {
    return 3 * near() + 2 * shared_latency() +
           keys * bytes_.both() * 2 * device_.cores / device_.at("copy", {bytes_.key, working_set()});
  }
  double sort_windows(const Tree& tree, double items, double blocks, double windows, double sorted) const {
    const std::string name = fmt::format("one {:.0f}, ", items);
    const MsdCounts& full = counts(name + "a window");
    const MsdCounts& empty = counts(name + "no window");
    const Shape shape{kMostThreads, static_cast<int>(items)};
    const double each = n_ / windows;
    const bool is_uneven = tree.kinds.uneven > 0;
    // The pass of the size class with the most similar number of keys a thread.
    BlockWork work = bucket_work(2, shape, full, empty, each, !is_uneven);
    const double present = std::ceil(each / kMostThreads);
    work.wavefronts += present * 5;  // runs that a place may be in
    // A thread looks for the first and the last class of a window, all for the runs of their keys.
    const double class_bits = one_level_class_bits(static_cast<std::uint32_t>(windows));
    constexpr double of_step = 6;  // dependent instructions
    work.chained += present * 2 +
                    (2 * class_bits + std::log2(blocks)) * (1 + of_step * 4 / device_.clock_hz / shared_latency()) +
                    2 * near() / shared_latency();
    if (is_uneven) work.add(uneven_work(shape, each));
    const double count = std::max(1.0, std::ceil(sorted * windows)), keys = count * each;
    return block_kernel(work, count, keys, one_shape(full, bytes_.value > 0 ? 4 : 3), bucket_traffic(keys)) -
           device_.at("launch_dependent") * std::min(1.0, blocks);
  }

  const MachineProfile& device_;
  ElementBytes bytes_;
  double n_;
  DeviceCosts costs_;
  Top top_;
};

}  // namespace

std::unique_ptr<MsdKernels> counted_msd_kernels(const MachineProfile& device, ElementBytes bytes, double n) {
  return std::make_unique<CountedKernels>(device, bytes, n);
}

}  // namespace sortlab
