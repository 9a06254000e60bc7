// Kernels that sort a bucket a block, from what they execute.
#pragma once

#include "algorithms/msd_radix_gpu/model/counted_costs.hpp"

namespace sortlab::msd_counted {

using msd_tree::Buckets;
using msd_tree::Kinds;
using msd_tree::Tree;

class BucketKernels : public Costs {
 public:
  using Costs::Costs;

  /// All keys, by a single block.
  double few(const Kinds& kinds) const {
    const int c = one_block_class(static_cast<std::uint64_t>(n_), key_bytes(), value_bytes());
    return bucket_kernel(c, kinds, 1, n_) + (kinds.uneven > 0.5 ? uneven_kernel(c, 1, n_) - launch() : 0);
  }

  /// All lists, and the launches of those that are empty.
  double seconds(const Tree& tree, bool counts) const {
    double sum = (kClasses + 1 + (counts ? 3 : 0)) * (launch() + near());
    double left = 0, left_keys = 0;  // to the kernel of uneven buckets
    for (const Buckets& list : tree.buckets) {
      if (list.list == kCounted) {
        sum += counted(list);
        continue;
      }
      sum += bucket_kernel(list.list, list.kinds, list.buckets, list.keys) - launch();
      const double uneven = list.kinds.uneven * list.buckets, keys = list.kinds.uneven * list.keys;
      if (uneven < 0.5) continue;
      if (list.list == kClasses - 1) {
        sum += uneven_kernel(list.list, uneven, keys) - launch();
      } else {
        left += uneven;
        left_keys += keys;
      }
    }
    if (left > 0) sum += uneven_kernel(kClasses - 2, left, left_keys) - launch();
    if (tree.tables.tables > 0) sum += tables(tree.tables);
    return sum;
  }

 protected:
  // Buckets

  /// Keys of a bucket's bin, and comparisons that they need.
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
    if (left * fits >= 0.5) {  // the check that finds this out
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
    constexpr double kRowsKeys = 12 * 4.0;  // keys of a thread in all rows of a window
    const double each = keys / buckets, of_thread = each / kMaxThreads;
    const double quads = kTableValues / 2 / 4 / kMaxThreads;
    const double windows = std::ceil(of_thread / kRowsKeys);
    BlockWork work;
    work.add(words, quads);
    work.add(heads, quads * windows * 0.5);
    work.add(window, of_thread / kRowsKeys);
    work.wavefronts = of_thread * global(4) + quads * (4 + windows * 4) + of_thread / kRowsKeys * window.accesses() * 2;
    work.chained = waits(6 + 4 * windows, kMaxThreads);
    const double bytes = keys * 4;
    return block_kernel(
        work, buckets, keys,
        {.threads = kMaxThreads, .registers = plain.registers, .shared_bytes = kSharedBytes, .round_trips = 3},
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
                 of_thread = kChunk / static_cast<double>(kMaxThreads);
    BlockWork flushing, filling;
    flushing.add(flush, kTableValues / 2 / 4 / kMaxThreads);
    flushing.wavefronts = kTableValues / 2 / kMaxThreads;
    flushing.chained = waits(2, kMaxThreads) + 2;
    filling.add(values, kTableValues / 16 / kMaxThreads * kChunk * tables.tables / std::max(1.0, tables.keys));
    filling.add(chunk);
    filling.wavefronts = of_thread * global(4) + 2 * chunk.accesses();
    filling.chained = waits(5, kMaxThreads) + 2;
    const GridShape shape{
        .threads = kMaxThreads, .registers = plain.registers, .shared_bytes = kSharedBytes, .round_trips = 2};
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
};

}  // namespace sortlab::msd_counted
