// Keys in runs, each uniform in one of p equal ranges. bucket (B), g_group (g-G) and staggered (S) differ in the number
// of runs per processor and in the range that each run draws from.
#pragma once

#include "generators/helman.hpp"
#include "generators/random_integers.hpp"
#include "generators/ranges.hpp"

namespace sortlab {

/// The rule of B. Each of the processors 0 to p-1 has `runs` runs of equal length. A run draws from the range `target`,
/// 0 to p-1.
struct BucketRule {
  explicit BucketRule(const Input& input) : p(helman::processors(input)), runs(p) {}
  SORTLAB_HOST_DEVICE std::uint64_t target(std::uint64_t, std::uint64_t run) const { return run; }
  std::uint64_t p;
  std::uint64_t runs;
};

struct GroupRule {
  explicit GroupRule(const Input& input)
      : p(helman::processors(input)), runs(static_cast<std::uint64_t>(input.parameters.integer("g"))) {}
  SORTLAB_HOST_DEVICE std::uint64_t target(std::uint64_t processor, std::uint64_t run) const {
    return (processor - processor % runs + p / 2 + run) % p;
  }
  std::uint64_t p;
  std::uint64_t runs;
};

struct StaggeredRule {
  explicit StaggeredRule(const Input& input) : p(helman::processors(input)) {}
  SORTLAB_HOST_DEVICE std::uint64_t target(std::uint64_t processor, std::uint64_t) const {
    return processor < p / 2 ? 2 * processor + 1 : 2 * (processor - p / 2);
  }
  std::uint64_t p;
  std::uint64_t runs = 1;
};

/// All runs of an input. Run k is run k % rule.runs of processor k / rule.runs.
template <class Rule>
struct ProcessorRuns {
  explicit ProcessorRuns(const Input& input) : rule(input), n(input.n) {}

  std::uint64_t count() const { return rule.p * rule.runs; }
  SORTLAB_HOST_DEVICE std::uint64_t begin(std::uint64_t k) const {
    const std::uint64_t first = part_begin(0, n, rule.p, k / rule.runs);
    const std::uint64_t end = part_begin(0, n, rule.p, k / rule.runs + 1);
    return part_begin(first, end - first, rule.runs, k % rule.runs);
  }
  SORTLAB_HOST_DEVICE std::uint64_t target(std::uint64_t k) const { return rule.target(k / rule.runs, k % rule.runs); }
  /// The run that holds element i.
  SORTLAB_HOST_DEVICE std::uint64_t run_at(std::uint64_t i) const {
    const std::uint64_t processor = part_containing(n, rule.p, i);
    const std::uint64_t first = part_begin(0, n, rule.p, processor);
    const std::uint64_t end = part_begin(0, n, rule.p, processor + 1);
    return processor * rule.runs + part_containing(end - first, rule.runs, i - first);
  }

  Rule rule;
  std::uint64_t n;
};

template <class K, class Rule>
class ProcessorRangeKeys {
 public:
  using Pattern = Bits<K>;
  static constexpr int kWords = 4;

  explicit ProcessorRangeKeys(const Input& input)
      : runs_(input), ranges_(runs_.rule.p, helman::range_bits(input)), to_key_(helman::key_space(input)) {}

  SORTLAB_HOST_DEVICE void operator()(std::uint64_t first, std::uint64_t count, const std::uint32_t* words,
                                      void* chunk) const {
    std::uint64_t run = runs_.run_at(first);
    for (std::uint64_t i = 0; i < count; ++run) {
      const std::uint64_t left = count - i == 1 ? 1 : runs_.begin(run + 1) - (first + i);
      const std::uint64_t end = i + (left < count - i ? left : count - i);
      const std::uint64_t target = runs_.target(run);
      const uint128 low = ranges_.boundary(target);
      const uint128 width = ranges_.boundary(target + 1) - low;
      for (; i < end; ++i) {
        const uint128 random = random128(words + 4 * i);
        const uint128 offset = width == 0 ? random : scaled(random, width);  // 0 stands for 2^128
        store(chunk, i, to_key_(static_cast<Pattern>(low + offset)));
      }
    }
  }

 private:
  ProcessorRuns<Rule> runs_;
  Ranges ranges_;
  KeyOfRank<K> to_key_;
};

}  // namespace sortlab
