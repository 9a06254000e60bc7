// Probe points for a key and value type: each kernel alone on synthetic keys, at a few points between which the model
// interpolates. Skew is given as the share of the most frequent digit. No point uses an input on which the sort itself
// is measured.
#pragma once

#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/msd_radix_gpu/probe_bench.cuh"
#include "algorithms/msd_radix_gpu/probes.hpp"

namespace sortlab::calibration {

using namespace msd_gpu;

template <class Word, class V>
class MsdProbes {
 public:
  MsdProbes(Rounds& rounds, DeviceBench& bench) : rounds_(rounds), bench_(bench) {}

  void add() {
    add_few();
    add_one_level();
    add_top_levels();
    add_levels();
    add_buckets();
    if constexpr (!kMaySplit) add_counted();
  }

 private:
  using Pieces = SorterPieces<Word, V>;
  using Shared = std::shared_ptr<Pieces>;
  static constexpr std::uint32_t kKey = sizeof(Word), kValue = kValueBytes<V>;
  static constexpr int kBits = 8 * sizeof(Word);
  /// Large inputs of 32-bit keys without values are never divided by splitters.
  static constexpr bool kMaySplit = sizeof(Word) > 4 || kHasValue<V> || !kMayCount;
  static constexpr int kTimes = 6;        ///< repetitions of a short launch per sample
  static constexpr double kSkewed = 0.2;  ///< share of the digit 0 at which a block finds its keys skewed
  static constexpr std::uint64_t kShortBytes = 48 * MiB;  ///< maximum input of a launch that is repeated

  Shared pieces(std::uint64_t n, Regime regime) const { return std::make_shared<Pieces>(bench_, n, regime); }
  Shared pieces(std::uint64_t n) const { return pieces(n, usual_regime(n, kKey, kValue)); }
  static int times_for(std::uint64_t n) { return n * Pieces::kBytes <= kShortBytes ? kTimes : 1; }
  std::uint64_t elements_in(std::size_t bytes) const {
    return std::min<std::size_t>(bytes, bench_.bytes() / 2) / Pieces::kBytes;
  }

  static MadeKeys keys_for(MsdKeys kind, int bits = kBits) {
    switch (kind) {
      case MsdKeys::even: return {.bits = bits};
      case MsdKeys::uneven: return {.bits = bits, .ones = ones_for(kSkewed)};
      case MsdKeys::equal: return {.bits = bits, .ones = 0};
      case MsdKeys::split: return {.bits = bits, .dense = 9};
      case MsdKeys::in_order: return {.bits = bits, .in_order = true};
      case MsdKeys::several: return {.bits = bits, .distinct = kSeveral};
    }
    return {};
  }

  // Sorts that are one kernel

  void add_one_kernel(const char* table, std::vector<double> at, std::uint64_t n, MsdKeys kind, Regime regime) {
    const Shared all = pieces(n, regime);
    rounds_.add(table, std::move(at), [=] {
      all->make_in(all->spare(), keys_for(kind), n);
      const auto before = [&](cudaStream_t stream) {
        all->restore(stream);
        all->flush(stream);
      };
      return all->seconds_after(
          before, [&](cudaStream_t stream) { all->one_kernel(stream); }, 1);
    });
  }

  void add_few() {
    std::uint32_t least = 2;
    for (int c = 0; c < kClasses; ++c) {
      std::uint32_t most = one_block_elements(kKey, kValue);
      while (one_block_class(most, kKey, kValue) > c) --most;
      for (const MsdKeys kind : {MsdKeys::even, MsdKeys::uneven, MsdKeys::equal}) {
        for (const std::uint32_t n : {least, most}) {
          if (n == least && kind != MsdKeys::even) continue;
          add_one_block(c, n, kind);
        }
      }
      least = most + 1;
    }
    // The largest input that can be requested.
    const std::uint32_t all = bucket_elements(kKey, kValue);
    if (all >= least) add_one_block(kClasses - 1, all, MsdKeys::even);
  }
  void add_one_block(int size_class, std::uint32_t n, MsdKeys kind) {
    add_one_kernel("msd.few", point(kKey, kValue, size_class, kind, n), n, kind, Regime::one_block);
  }

  void add_one_level() {
    const auto blocks = static_cast<std::uint32_t>(bench_.multiprocessors);
    const std::uint32_t all = one_level_elements(kKey, kValue);
    // Also the range that can be requested.
    const msd_gpu::ElementRange asked = msd_gpu::regime_elements(Regime::one_level, kKey, kValue);
    std::uint32_t least = one_block_elements(kKey, kValue) + 1;
    bool is_first = true;
    for (const int items : one_level_choices(kKey, kValue)) {
      const std::uint32_t capacity = static_cast<std::uint32_t>(items) * kMaxThreads;
      const bool is_last = items == one_level_items(kKey, kValue);
      const std::uint32_t most = is_last ? all : std::min(all, blocks * capacity / 2);
      if (least >= most) continue;
      std::vector<std::uint32_t> counts{least, most};
      // The first size at which blocks have more than one window.
      std::uint32_t one_window = blocks * (capacity / 10 * 6) + blocks - 1;
      if (is_last && one_window > least && one_window < most) counts = {least, one_window, one_window + 1, most};
      for (const MsdKeys kind :
           {MsdKeys::even, MsdKeys::uneven, MsdKeys::equal, MsdKeys::split, MsdKeys::several, MsdKeys::in_order}) {
        std::vector<std::uint32_t> sizes = counts;
        // With few keys, some multiprocessors have no block.
        if (kind == MsdKeys::in_order) sizes = {least, most};
        if (items == 2 && kind == MsdKeys::even) sizes = {least, 3 * least, (least + most) / 2, most};
        if (is_first && asked.min < least) sizes.push_back(static_cast<std::uint32_t>(asked.min));
        if (is_last) sizes.push_back(static_cast<std::uint32_t>(asked.max));
        for (const std::uint32_t n : sizes) {
          add_one_kernel("msd.one_level", point(kKey, kValue, items, kind, n), n, kind, Regime::one_level);
        }
      }
      is_first = false;
      least = most + 1;
    }
  }

  // Top levels

  /// Sizes from the smallest input that is not sorted by one level, over the largest that one partition divides by all
  /// top bits, to arrays of 1 GiB.
  std::vector<std::uint64_t> sizes() const {
    const std::uint64_t wide = max_wide_elements(kKey, kValue);
    return {one_level_elements(kKey, kValue) + 1UL, wide, wide + 1, elements_in(256 * MiB), elements_in(GiB)};
  }

  void add_top_levels() {
    // Sizes at which each regime is not the default.
    const std::uint64_t level = one_level_elements(kKey, kValue), wide = max_wide_elements(kKey, kValue);
    for (const std::uint64_t n : {level / 8, level, 2 * wide, 4 * wide}) add_forced(n, Regime::wide);
    for (const std::uint64_t n : {level / 8, level, wide}) add_forced(n, Regime::partitions);
    const std::uint64_t skewed = elements_in(256 * MiB);
    for (const std::uint64_t n : sizes()) {
      const Shared all = pieces(n);
      add_top_levels(all, {.bits = kBits}, kUniform);
      if (n < skewed) continue;
      all->spare_no_levels();
      add_top_levels(all, {.bits = kBits, .in_order = true}, kInOrder);
      add_top_levels(all, {.bits = kBits, .distinct = kSeveral}, kOfSeveral);
      add_top_levels(all, {.bits = kBits, .distinct = kSeveral / 2}, kOfHalfOfThem);
      // For the other types such keys are left to splitters.
      const bool counts = all->counts();
      for (const double hottest : {0.05, 0.13, 0.3, 0.55, 0.85}) {
        if (hottest > 0.15 && !counts && hottest != 0.55) continue;
        add_top_levels(all, {.bits = kBits, .ones = ones_for(hottest)}, hottest);
      }
    }
  }
  void add_forced(std::uint64_t n, Regime regime) {
    if (n <= elements_in(GiB)) add_top_levels(pieces(n, regime), {.bits = kBits}, kUniform);
  }
  void add_top_levels(const Shared& all, const MadeKeys& made, double hottest) {
    const std::uint64_t n = all->n();
    const bool is_usual = all->regime() == usual_regime(n, kKey, kValue);
    const int times = times_for(n);
    const auto add = [&](const char* table, int kernel, const std::function<double()>& measure) {
      if (is_usual) {
        rounds_.add(table, point(kKey, kValue, hottest, n), measure);
      } else {
        rounds_.add("msd.forced", point(kKey, kValue, kernel, all->regime(), n), measure);
      }
    };
    add("msd.count", 0, [=] {
      all->make(made);
      return all->seconds_after([&](cudaStream_t stream) { all->flush(stream); },
                                [&](cudaStream_t stream) { all->count(stream); }, times);
    });
    if (hottest > 0.15 && hottest <= 1 && !all->counts()) return;   // nothing is moved
    if (hottest != kUniform && n > elements_in(256 * MiB)) return;  // move time is proportional to n
    add("msd.first", 1, [=] {
      all->make(made);
      return all->seconds_after([&](cudaStream_t stream) { all->count(stream); },
                                [&](cudaStream_t stream) { all->first(stream); }, times);
    });
    if (all->is_wide() || hottest >= kOfSeveral) return;
    add("msd.second", 2, [=] {
      all->make(made);
      const auto before = [&](cudaStream_t stream) {
        all->count(stream);
        all->first(stream);
      };
      return all->seconds_after(
          before, [&](cudaStream_t stream) { all->second(stream); }, times);
    });
  }

  // One level

  void add_levels() {
    const std::uint64_t most = bucket_elements(kKey, kValue);
    // The number of elements that one level divides into buckets.
    const std::uint64_t one = 96 * most, several = most + most / 2;
    const std::uint64_t few = 3 * one, many = elements_in(256 * MiB);
    for (const bool by_steps : {false, true}) {
      if (by_steps && !kMaySplit) continue;  // such levels all run in one kernel
      for (const bool split : {false, true}) {
        const std::uint64_t n = by_steps ? many : few;
        add_level(by_steps, split, n, 1, most + 1);
        add_level(by_steps, split, n, 1, by_steps ? many : one);
        add_level(by_steps, split, n, n / several, several);
        if (!by_steps && (kMaySplit || !split)) add_level(by_steps, split, many, many / several, several);
      }
      const Shared all = pieces(by_steps ? many : few);
      rounds_.add("msd.level", point(kKey, kValue, by_steps, 0, 0, 0), [=, &bench = bench_] {
        all->clear_lists(bench.stream());
        return all->repeat_seconds(
            [&](cudaStream_t stream) {
              if (by_steps) {
                all->level_by_steps(stream);
              } else {
                all->levels_at_once(true, stream);
              }
            },
            kTimes);
      });
    }
  }
  void add_level(bool by_steps, bool split, std::uint64_t n, std::uint64_t segments, std::uint64_t each) {
    const Shared all = pieces(n);
    all->lay_out_segments(segments, each);
    const int times = times_for(segments * each);
    rounds_.add("msd.level", point(kKey, kValue, by_steps, split, segments, segments * each), [=] {
      all->make({.bits = kBits, .ones = split ? ones_for(0.45) : 0.5});
      return all->seconds_after([&](cudaStream_t stream) { all->restore_segments(stream); },
                                [&](cudaStream_t stream) {
                                  if (by_steps) {
                                    all->level_by_steps(stream);
                                  } else {
                                    all->levels_at_once(split || kMaySplit, stream);
                                  }
                                },
                                times);
    });
  }

  // Buckets

  void add_buckets() {
    const auto each = static_cast<std::uint32_t>(bench_.multiprocessors);
    const std::uint64_t n = elements_in(128 * MiB);
    const Shared all = pieces(n);
    std::uint32_t least = merged_elements(kKey, kValue) / 2;
    for (int c = 0; c < kClasses; ++c) {
      const std::uint32_t most = class_shape(c, kKey, kValue).elements();
      for (const MsdKeys kind : {MsdKeys::even, MsdKeys::uneven, MsdKeys::equal}) {
        for (const std::uint32_t elements : {least, most}) {
          if (elements == least && kind == MsdKeys::equal) continue;
          add_buckets(all, c, kind, elements, static_cast<std::uint32_t>(n / elements));
          if (elements == most && kind != MsdKeys::equal) add_buckets(all, c, kind, elements, each);
        }
      }
      least = most + 1;
    }
    // Buckets that fit in the L2 cache.
    const std::uint32_t common = class_shape(1, kKey, kValue).elements();
    add_buckets(all, 1, MsdKeys::even, common, static_cast<std::uint32_t>(elements_in(16 * MiB) / common));
    for (const std::uint64_t of : {n, one_level_elements(kKey, kValue) + 1UL}) {
      const Shared none = of == n ? all : pieces(of);
      rounds_.add("msd.buckets_idle", point(kKey, kValue, none->counts()), [=, &bench = bench_] {
        none->clear_lists(bench.stream());
        return none->repeat_seconds([&](cudaStream_t stream) { none->sort_all_buckets(stream); }, kTimes);
      });
      if (!none->counts() && of == n) break;
    }
  }
  static constexpr int kLeft = kBits - 4;  ///< bits of the keys of a bucket
  void add_buckets(const Shared& all, int size_class, MsdKeys kind, std::uint32_t elements, std::uint32_t buckets) {
    const bool is_short = buckets <= 4U * static_cast<std::uint32_t>(bench_.multiprocessors);
    rounds_.add("msd.bucket", point(kKey, kValue, size_class, kind, elements, buckets), [=] {
      all->make(keys_for(kind, kBits - 12), 1);
      all->lay_out_buckets(size_class, buckets, elements, kBits - 12);
      const auto timed = [&](cudaStream_t stream) {
        all->sort_buckets(size_class, stream);
        if (kind == MsdKeys::uneven && size_class + 1 < kClasses) all->sort_uneven(stream);
      };
      return all->seconds_after([&](cudaStream_t stream) { all->forget_left(stream); }, timed, is_short ? kTimes : 1);
    });
  }

  void add_counted() {
    const auto each = static_cast<std::uint32_t>(bench_.multiprocessors);
    const std::uint64_t n = elements_in(256 * MiB);
    const Shared all = pieces(n);
    const std::uint32_t shortest = class_shape(0, kKey, 0).elements() + 1;
    const std::uint32_t longest = class_shape(1, kKey, 0).elements();
    const auto add = [&](MsdKeys kind, std::uint32_t elements, std::uint32_t buckets) {
      rounds_.add("msd.counted", point(kind, elements, buckets), [=] {
        all->make(keys_for(kind, kCountedBits), 1);
        all->lay_out_buckets(kCounted, buckets, elements, kCountedBits);
        const auto timed = [&](cudaStream_t stream) {
          all->sort_counted(stream);
          all->count_buckets(stream);
        };
        return all->seconds_after([&](cudaStream_t stream) { all->forget_left(stream); }, timed,
                                  buckets <= 4 * each ? kTimes : 1);
      });
    };
    // Buckets whose counters overflow, and longer ones, are counted a second time.
    for (const std::uint32_t elements : {shortest, longest, longest + 1, kCountingElements}) {
      const auto many = static_cast<std::uint32_t>(n / elements);
      for (const MsdKeys kind : {MsdKeys::even, MsdKeys::uneven}) {
        add(kind, elements, many);
        if (kind == MsdKeys::even) add(kind, elements, each);
      }
    }
    const auto add_tables = [&](MsdKeys kind, std::uint32_t tables, std::uint64_t elements) {
      rounds_.add("msd.tables", point(kind, tables, elements * tables), [=, &bench = bench_] {
        all->make(keys_for(kind, kCountedBits), 1);
        all->lay_out_tables(tables, elements);
        return bench.time_launches([&](cudaStream_t stream) { all->count_tables(stream); });
      });
    };
    for (const MsdKeys kind : {MsdKeys::even, MsdKeys::uneven, MsdKeys::equal}) {
      add_tables(kind, 1, n);
      if (kind == MsdKeys::even) {
        add_tables(kind, 1, kTableElements);
        add_tables(kind, 64, n / 64);
        add_tables(kind, static_cast<std::uint32_t>(n / kTableElements), kTableElements);
      }
    }
  }

  Rounds& rounds_;
  DeviceBench& bench_;
};

template <class Word, class V>
void add_msd_probes(Rounds& rounds, DeviceBench& bench) {
  MsdProbes<Word, V>{rounds, bench}.add();
}

}  // namespace sortlab::calibration
