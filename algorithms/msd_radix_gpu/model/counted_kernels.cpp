// Times of the histogram and partition kernels of msd_radix_gpu, of all keys or of a level, derived from the
// instructions that they execute and from the device's rates.
#include "algorithms/msd_radix_gpu/model/counted_one_level.hpp"
#include "algorithms/msd_radix_gpu/model/kernels.hpp"

namespace sortlab {
namespace {

using namespace msd_counted;

class CountedKernels final : public MsdKernels, private Costs {
 public:
  CountedKernels(const MachineProfile& device, ElementBytes bytes, double n, const Plan& plan)
      : Costs(device, bytes, n),
        buckets_(device, bytes, n),
        one_level_(device, bytes, n),
        counts_buckets_(plan.counts_buckets),
        top_(plan.top) {}

  // Sorts that are one kernel

  double few(const Kinds& kinds) const override { return buckets_.few(kinds); }
  double one_level(const Tree& tree, double in_order) const override { return one_level_.seconds(tree, in_order); }

  // All keys

  double count(const Tree& tree, double in_order) const override {
    const double further = top_.wide ? 0 : 2 * (launch() + 3 * near());
    const double judged = counts_buckets_ ? 0 : 2 * far();
    if (tree.skips_top) return launch() + judged + further;
    const int packed = top_.bits() > 16 ? 4 : 2;
    const std::string name = fmt::format("count {}", packed);
    const MsdCounts& plain = counts(name);
    const MsdCounts& at_once = counts(name + ", at once");
    const MsdCounts& word = counts(name + ", a word");
    const int word_bits = top_.bits() - (packed == 4 ? 2 : 1);
    const DigitMix mix = digit_mix(tree.top, top_.bits(), word_bits);
    const Contention met = in_order > 0.5 ? Contention{.hot = 1} : draw_contention(mix);
    const double keys = bytes_.key == 4 ? 16 : 8;  // keys of a thread at once
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
    const double counters = std::min({share, distinct(mix, share), words});  // in pairs
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
                  .mix = digit_mix(digits, bits, bits),
                  .most = digits.most,
                  .digits = top_.wide ? 1024.0 : std::exp2(std::max(8, bits)),
                  .lists = 1,
                  .in_order = in_order});
  }

  double second(const Tree& tree, double in_order) const override {
    if (tree.second_moved <= 0) return launch() + near();
    return moved({.kernel = "move",
                  .keys = tree.second_moved,
                  .tiles = count_tiles(tree.second_moved, tree.top_segments),
                  .segments = tree.top_segments,
                  .mix = digit_mix(tree.second, top_.second_bits, top_.second_bits),
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

  double buckets(const Tree& tree) const override { return buckets_.seconds(tree, counts_buckets_); }

  Operations take_operations() const override {
    Operations all = costs_.take_operations();
    add_metered(all, buckets_.take_operations());
    add_metered(all, one_level_.take_operations());
    return all;
  }

 private:
  // Moving tiles

  double count_tiles(double keys, double segments) const {
    return keys / tile_elements(key_bytes(), value_bytes()) + segments / 2;
  }
  struct Move {
    std::string kernel;
    double keys = 0;
    double tiles = 0;
    double segments = 0;  ///< 0: all tiles are alike
    DigitMix mix;
    double most = 0;    ///< share of keys with the most frequent digit
    double digits = 0;  ///< digits per block for which shared memory holds counters
    double lists = 0;  ///< reads of lists in memory that a block waits for, one after another, before it reads its tile
    double in_order = 0;
    bool classes = false;  ///< between splitters
  };
  /// Seconds of a kernel that moves tiles. The last tile of a segment is partly filled: half on average if segments are
  /// many.
  double moved(const Move& move) const {
    const double full = tile_elements(key_bytes(), value_bytes());
    const double last = std::min(move.segments, move.tiles), others = move.tiles - last;
    const double of_last = std::max(512.0, (move.keys - others * full) / std::max(1.0, last));
    BlockWork work;
    double runs = 1;
    const Contention met = move.in_order > 0.5 ? Contention{.hot = 1} : draw_contention(move.mix);
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
    const double present = std::min(1.0, tile / full);  // share of a thread's items
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
    work.chained = waits(alone.barriers, kThreads) + (2 + move.lists) * as_accesses(near());
    return work;
  }

  // Levels

  double of_level(const msd_tree::Level& level, double in_order, bool together) const {
    double seconds = 0;
    const bool few_drawn =
        level.keys <= level.segments * static_cast<double>(small_draw_elements(key_bytes(), value_bytes()));
    if (!counts_buckets_ && level.segments > 0) seconds += sampled_segments(level.segments, few_drawn ? 2 : 8);
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
                        .tiles = count_tiles(keys, segments),
                        .segments = segments,
                        .mix = by_splitters ? DigitMix{} : digit_mix(level.digits, kDigitBits, kDigitBits),
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
  /// A block draws and sorts a sample of a segment.
  double sampled_segments(double segments, double of_thread) const {
    const std::string name = fmt::format("sample {:.0f}, a ", of_thread);
    const double resident = kBlocks;
    const double rounds = std::ceil(segments / device_.cores / resident);
    return 2 * far() +
           rounds * (far() + network(counts(name + "step"), counts(name + "row"), kThreads / kWarp, resident) +
                     block_seconds(counts("sample, once"), kThreads, resident));
  }

  BucketKernels buckets_;
  OneLevelKernel one_level_;
  bool counts_buckets_;
  Top top_;
};

}  // namespace

std::unique_ptr<MsdKernels> counted_msd_kernels(const MachineProfile& device, ElementBytes bytes, double n,
                                                const Plan& plan) {
  return std::make_unique<CountedKernels>(device, bytes, n, plan);
}

}  // namespace sortlab
