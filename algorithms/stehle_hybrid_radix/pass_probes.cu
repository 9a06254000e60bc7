// Probes of the kernels that count and move keys, each alone on synthetic keys. Whole grids are timed, since memory,
// the L2 cache and the number of blocks determine their time.
#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/stehle_hybrid_radix/probe_bench.cuh"

namespace sortlab::calibration {
namespace {

constexpr double kUniform = 1.0 / 256;
constexpr double kHot = 0.36;  ///< just enough for all blocks to be hot: the digit has more than a third of each block
constexpr std::uint32_t kBuckets = 4096;

/// Numbers of full blocks: a few, one per multiprocessor and multiples of it, and as many as fill arrays of 256 MiB.
std::vector<std::uint64_t> block_counts(const DeviceBench& bench, std::uint64_t max_blocks) {
  const auto each = static_cast<std::uint64_t>(bench.multiprocessors);
  std::vector<std::uint64_t> counts{each, max_blocks};
  if (!bench.quick) counts = {16, each, 2 * each, 4 * each, max_blocks};
  return counts;
}

/// Shares of the most frequent digit. None equals that of one of Thearling's entropies, except for equal and uniform
/// keys.
std::vector<double> hottest_digits(const DeviceBench& bench, bool all) {
  if (!all || bench.quick) return {kUniform, 1};
  return {kUniform, 0.05, 0.15, 0.3, kHot, 0.5, 0.7, 0.9, 1};
}

/// Keys with a synthetic digit in pass `number`, divided into buckets by the digits before.
MadeKeys digit_keys(std::uint32_t key_bytes, double hottest, int number = 0, std::uint32_t buckets = 1) {
  const int shift = static_cast<int>(8 * key_bytes) - 8 * number;
  return {.buckets = buckets, .shift = shift, .random = 8, .ones = ones_for(hottest)};
}

int repetitions(const DeviceBench& bench, std::uint64_t blocks) {
  return blocks <= static_cast<std::uint64_t>(kShortBlocks * bench.multiprocessors) ? kShortTimes : 1;
}

template <class Word, class V>
void add_counts(Rounds& rounds, DeviceBench& bench, Settings settings) {
  using Passes = PassBench<Word, V>;
  const std::uint64_t max_blocks = Passes::array_bytes(bench) / sizeof(Word) / settings.block_keys;
  for (const bool reduced : {false, true}) {
    settings.thread_reduction = reduced;
    const auto at = [&](std::uint64_t blocks, double hottest) {
      return point(reduced, sizeof(Word), settings.threads, settings.items, blocks, hottest);
    };
    for (const std::uint64_t blocks : block_counts(bench, max_blocks)) {
      const auto passes = std::make_shared<Passes>(bench, settings, blocks * settings.block_keys);
      if (blocks == max_blocks) {
        rounds.add("hybrid.count", at(0, kUniform), [passes] {
          return passes->idle_seconds(
              1, [&](cudaStream_t stream) { passes->passes().count(passes->pass(kIdlePass), stream); });
        });
      }
      for (const double hottest : hottest_digits(bench, false)) {
        const int times = repetitions(bench, blocks);
        rounds.add("hybrid.count", at(blocks, hottest), [=] {
          passes->make(digit_keys(sizeof(Word), hottest));
          const auto before = [&](cudaStream_t stream) {
            passes->run_to(0, stream);
            passes->passes().clear(passes->pass(0), stream);
          };
          return passes->seconds_after(
              before, [&](cudaStream_t stream) { passes->passes().count(passes->pass(0), stream); }, times);
        });
      }
    }
    const std::uint64_t keys = settings.local_keys + 1;
    const auto passes = std::make_shared<Passes>(bench, settings, kBuckets * keys);
    rounds.add("hybrid.count_buckets", point(reduced, sizeof(Word), settings.threads, settings.items, keys), [=] {
      passes->make(digit_keys(sizeof(Word), kUniform, 2, kBuckets));
      const auto before = [&](cudaStream_t stream) {
        passes->run_to(2, stream);
        passes->passes().clear(passes->pass(2), stream);
      };
      return passes->seconds_after(
                 before, [&](cudaStream_t stream) { passes->passes().count(passes->pass(2), stream); }, 1) /
             kBuckets;
    });
  }
}

template <class Word, class V>
void add_moves(Rounds& rounds, DeviceBench& bench, const Settings& settings) {
  using Passes = PassBench<Word, V>;
  const std::uint64_t max_blocks = Passes::array_bytes(bench) / sizeof(Word) / settings.block_keys;
  const bool beside = Passes::kValueBytes > 0 && settings.staging == Staging::beside;
  const auto at = [&](bool ahead, std::uint64_t blocks, double hottest) {
    return point(ahead, beside, sizeof(Word), Passes::kValueBytes, settings.threads, settings.items, blocks, hottest);
  };
  for (const std::uint64_t blocks : block_counts(bench, max_blocks)) {
    const auto passes = std::make_shared<Passes>(bench, settings, blocks * settings.block_keys);
    for (const bool ahead : {false, true}) {
      if (blocks == max_blocks) {
        rounds.add("hybrid.scatter", at(ahead, 0, kUniform), [passes] {
          return passes->idle_seconds(
              1, [&](cudaStream_t stream) { passes->passes().move(passes->pass(kIdlePass), stream); });
        });
      }
      for (const double hottest : hottest_digits(bench, blocks == max_blocks)) {
        if (ahead && hottest < kHot) continue;  // no block is hot
        const int times = repetitions(bench, blocks);
        rounds.add("hybrid.scatter", at(ahead, blocks, hottest), [=] {
          passes->make(digit_keys(sizeof(Word), hottest));
          auto pass = passes->pass(0);
          pass.look_ahead = ahead;
          const auto before = [&](cudaStream_t stream) {
            passes->run_to(0, stream);
            passes->count(0, stream);
            passes->passes().prefix(pass, stream);
          };
          return passes->seconds_after(
              before, [&](cudaStream_t stream) { passes->passes().move(pass, stream); }, times);
        });
      }
    }
  }
  const std::uint64_t keys = settings.local_keys + 1;
  const auto passes = std::make_shared<Passes>(bench, settings, kBuckets * keys);
  rounds.add("hybrid.scatter_buckets",
             point(beside, sizeof(Word), Passes::kValueBytes, settings.threads, settings.items, keys), [=] {
               passes->make(digit_keys(sizeof(Word), kUniform, 2, kBuckets));
               const auto before = [&](cudaStream_t stream) {
                 passes->run_to(2, stream);
                 passes->count(2, stream);
                 passes->passes().prefix(passes->pass(2), stream);
               };
               return passes->seconds_after(
                          before, [&](cudaStream_t stream) { passes->passes().move(passes->pass(2), stream); }, 1) /
                      kBuckets;
             });
}

template <class Word>
void add_pairs(Rounds& rounds, DeviceBench& bench) {
  const std::size_t max_bytes = PassBench<Word, Word>::array_bytes(bench);
  for (const std::size_t bytes : {8 * MiB, max_bytes}) {
    const std::uint64_t n = bytes / sizeof(Word);
    const Buffers apart{.keys = {.data = bench.out(), .count = n}, .values = {.data = bench.out() + bytes, .count = n}};
    const Buffers together{.keys = {.data = bench.out() + 2 * bytes, .count = n}, .values = {}};
    for (const bool decomposes : {true, false}) {
      rounds.add("hybrid.pairs", point(decomposes, sizeof(Word), n * 2 * sizeof(Word)), [=, &bench] {
        return bench.time_launches([&](cudaStream_t stream) {
          if (decomposes) {
            hybrid_radix::decompose_pairs<Word, Word>(together, apart, stream);
          } else {
            hybrid_radix::recompose_pairs<Word, Word>(apart, together, stream);
          }
        }) / static_cast<double>(n);
      });
    }
  }
}

}  // namespace

void add_pass_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string digits =
      " full blocks of one bucket; 'hottest': share of the digit 0, from independent bits; launch included";
  rounds.declare("hybrid.count", "s", "MB8: the histogram kernel on" + digits,
                 {"reduced", "key_bytes", "threads", "items", "blocks", "hottest"});
  rounds.declare("hybrid.count_buckets", "s", "MB8: the same for 4096 buckets of uniform keys, per bucket",
                 {"reduced", "key_bytes", "threads", "items", "keys"});
  rounds.declare("hybrid.scatter", "s",
                 "MB8: the scatter, without (0) or with (1) look-ahead, values staged in the keys' place (0) or beside "
                 "them (1), on" +
                     digits,
                 {"ahead", "beside", "key_bytes", "value_bytes", "threads", "items", "blocks", "hottest"});
  rounds.declare("hybrid.scatter_buckets", "s", "MB8: the same for 4096 buckets of uniform keys, per bucket",
                 {"beside", "key_bytes", "value_bytes", "threads", "items", "keys"});
  rounds.declare("hybrid.pairs", "s/element",
                 "MB8: pairs split into arrays of keys and values (1) or joined (0), keys as wide as values",
                 {"decomposes", "key_bytes", "bytes"});
  for_hybrid_types([&]<class Word, class V>() {
    for (const bool tuned : {false, true}) {
      const Settings settings = hybrid_settings(tuned, sizeof(Word), PassBench<Word, V>::kValueBytes);
      add_moves<Word, V>(rounds, bench, settings);
      // 32-bit pairs have the blocks of their keys alone.
      if (sizeof(Word) == 8 || !kHasValue<V>) add_counts<Word, V>(rounds, bench, settings);
    }
  });
  add_pairs<std::uint32_t>(rounds, bench);
  add_pairs<std::uint64_t>(rounds, bench);
}

}  // namespace sortlab::calibration
