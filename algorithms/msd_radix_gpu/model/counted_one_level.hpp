// The sort of one level in one kernel, stage by stage, from what it executes.
#pragma once

#include "algorithms/msd_radix_gpu/model/counted_buckets.hpp"

namespace sortlab::msd_counted {

using msd_contention::Contention;
using msd_contention::draw_contention;

/// A multiprocessor holds one block, whose windows are buckets.
class OneLevelKernel : public BucketKernels {
 public:
  using BucketKernels::BucketKernels;

  double seconds(const Tree& tree, double in_order) const {
    const double cores = device_.cores;
    const double items = one_level_items_for(static_cast<std::uint64_t>(n_), static_cast<std::uint64_t>(cores),
                                             key_bytes(), value_bytes());
    const double blocks = std::min(cores, std::ceil(n_ / kOneLevelMinBlockKeys));
    const double windows = one_level_windows(static_cast<std::uint32_t>(n_), static_cast<std::uint32_t>(blocks),
                                             static_cast<std::uint32_t>(items * kMaxThreads));
    const int class_bits = one_level_class_bits(static_cast<std::uint32_t>(windows));
    const double sorted = 1 - tree.kinds.equal;
    double sum = launch() + choose(tree.is_split, static_cast<int>(items));
    sum += order_tiles(tree, items, blocks, class_bits, in_order) + grid_barrier();
    if (tree.copied_classes > 0) sum += copy_classes(tree.copied_classes, n_ * tree.kinds.equal / blocks);
    if (sorted > 0) sum += sort_windows(tree, items, blocks, windows, sorted);
    return sum;
  }

 private:
  double choose(bool splits, int items) const {
    const double sample = one_level_sample(items, key_bytes(), value_bytes());
    double seconds = 2 * far() + block_seconds(counts("one, a round"), kMaxThreads, 1);
    if (splits) {
      const double of_thread = sample / kMaxThreads;
      MsdCounts step = counts("sample 2, a step"), row = counts("sample 2, a row");
      step.instructions *= of_thread / 2;
      row.instructions *= of_thread / 2;
      seconds += network(step, row, kMaxThreads / kWarp, 1) +
                 block_seconds(counts("one, a round between splitters"), kMaxThreads, 1) -
                 block_seconds(counts("one, a round"), kMaxThreads, 1);
    }
    return seconds;
  }
  GridShape one_shape(const MsdCounts& of, int trips) const {
    return {.threads = kMaxThreads, .registers = of.registers, .shared_bytes = kSharedBytes, .round_trips = trips};
  }
  double order_tiles(const Tree& tree, double items, double blocks, int class_bits, double in_order) const {
    const std::string name = fmt::format("one {:.0f}, ", items);
    const MsdCounts& full = counts(name + "a tile");
    const MsdCounts& at_once = counts(name + "a tile at once");
    const MsdCounts& empty = counts(name + "no tile");
    const double each = n_ / blocks, present = std::ceil(each / kMaxThreads);
    const double most = tree.copied_classes > 0 ? tree.kinds.equal / tree.copied_classes : std::exp2(-class_bits);
    const Contention met = in_order > 0.5 ? Contention{.hot = 1}
                                          : draw_contention({.bits = class_bits,
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
    work.chained = waits(full.barriers, kMaxThreads);
    if (tree.is_split) {
      constexpr double of_step = 5;  // instructions, with a share of the loop for four keys
      work.instructions += present * class_bits * of_step;
      work.alu += present * class_bits * of_step / 2;
      of_key += searched(class_bits);
      work.chained += present * class_bits;
    }
    work.wavefronts = empty.accesses() + of_key * each / kMaxThreads + present / items * met.hot * at_once.shuffles;
    const double bytes = n_ * bytes_.both();
    return block_kernel(work, blocks, n_, one_shape(full, bytes_.value > 0 ? 2 : 1),
                        {.read = bytes, .written = bytes, .working_set = working_set(), .access = bytes_.key}) -
           device_.at("launch_dependent");
  }
  /// Seconds in which a block copies its `keys`, class by class, each by a warp.
  double copy_classes(double classes, double keys) const {
    const double rounds = std::ceil(classes * kWarp / kMaxThreads);
    return rounds * (3 * near() + 2 * shared_latency()) +
           keys * bytes_.both() * 2 * device_.cores / device_.at("copy", {bytes_.key, working_set()});
  }
  double sort_windows(const Tree& tree, double items, double blocks, double windows, double sorted) const {
    const std::string name = fmt::format("one {:.0f}, ", items);
    const MsdCounts& full = counts(name + "a window");
    const MsdCounts& empty = counts(name + "no window");
    const Shape shape{kMaxThreads, static_cast<int>(items)};
    const double each = n_ / windows;
    const bool is_uneven = tree.kinds.uneven > 0;
    // The pass of the size class with the most similar number of keys a thread.
    BlockWork work = bucket_work(2, shape, full, empty, each, !is_uneven);
    const double present = std::ceil(each / kMaxThreads);
    work.wavefronts += present * 5;  // runs that a place may be in
    // A thread looks for the first and the last class of a window, all for the runs of their keys.
    const double class_bits = one_level_class_bits(static_cast<std::uint32_t>(windows));
    constexpr double of_step = 6;  // dependent instructions
    work.chained += present * 2 +
                    (2 * class_bits + std::log2(blocks)) * (1 + as_accesses(of_step * 4 / device_.clock_hz)) +
                    2 * as_accesses(near());
    if (is_uneven) work.add(uneven_work(shape, each));
    const double count = std::max(1.0, std::ceil(sorted * windows)), keys = count * each;
    return block_kernel(work, count, keys, one_shape(full, bytes_.value > 0 ? 4 : 3), bucket_traffic(keys)) -
           device_.at("launch_dependent") * std::min(1.0, blocks);
  }
};

}  // namespace sortlab::msd_counted
