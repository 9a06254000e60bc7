// Inputs of Helman, Bader and JáJá in which each processor draws from chosen ranges of the keys: bucket (B), g_group
// (g-G) and staggered (S). They defeat sorts that rely on keys being spread alike over the processors.
#include <cmath>

#include <fmt/format.h>

#include "generators/helman.hpp"
#include "generators/ranges.hpp"
#include "generators/uniform_ranks.hpp"

namespace sortlab {
namespace {

/// Keys in runs, each uniform in one of p ranges.
class RangesByProcessor : public Distribution {
 public:
  explicit RangesByProcessor(DistributionInfo info) : info_(std::move(info)) {
    info_.parameters.insert(info_.parameters.begin(), helman::processors_parameter());
    info_.parameters.push_back(helman::range_bits_parameter(31));
    info_.parameters.push_back(helman::wide_parameter());
  }

  const DistributionInfo& info() const override { return info_; }

  std::optional<std::string> declines(const Input& input) const override {
    if (auto reason = helman::too_narrow(input)) return reason;
    const std::uint64_t p = helman::processors(input);
    return helman::too_few(input, uint128{p} * runs_a_processor(input), runs_formula());
  }

  /// Of a key at a random position: a mixture of ranges, each with the share of elements that draw from it.
  std::optional<double> entropy_bits(const Input& input) const override {
    const KeySpace space = helman::key_space(input);
    if (input.n == 0 || space.distinct_bits(input.key) < space.range_bits) return std::nullopt;
    const std::uint64_t p = helman::processors(input);
    const Ranges ranges{p, space.range_bits};
    std::vector<std::uint64_t> elements(p);
    for (std::uint64_t k = 0, runs = p * runs_a_processor(input); k < runs; ++k) {
      elements[target_of(input, k)] += run_begin(input, k + 1) - run_begin(input, k);
    }
    double entropy = 0;
    for (std::uint64_t j = 0; j < p; ++j) {
      if (elements[j] == 0) continue;
      const double share = static_cast<double>(elements[j]) / static_cast<double>(input.n);
      const double log2_width =
          p == 1 ? space.range_bits : std::log2(static_cast<double>(ranges.boundary(j + 1) - ranges.boundary(j)));
      entropy += share * (log2_width - std::log2(share));
    }
    return entropy;
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      using B = Bits<K>;
      const KeySpace space = helman::key_space(input);
      const Ranges ranges{helman::processors(input), space.range_bits};
      const KeyOfRank<K> key_of{space};
      for_each_chunk<4>(input.seed, 0, input.n, threads,
                        [&](std::uint64_t first, std::uint64_t count, const std::uint32_t* words) {
                          std::uint64_t run = run_of(input, first);
                          for (std::uint64_t i = 0; i < count; ++run) {
                            const std::uint64_t end = std::min(count, run_begin(input, run + 1) - first);
                            const std::uint64_t target = target_of(input, run);
                            const uint128 low = ranges.boundary(target);
                            const uint128 width = ranges.boundary(target + 1) - low;
                            for (; i < end; ++i) {
                              const uint128 random = random128(words + 4 * i);
                              const uint128 offset = width == 0 ? random : scaled(random, width);  // 0 stands for 2^128
                              store<B>(keys, first + i, key_of(static_cast<B>(low + offset)));
                            }
                          }
                        });
    });
  }

 protected:
  /// Runs of equal length in which each processor draws its keys.
  virtual std::uint64_t runs_a_processor(const Input& input) const = 0;
  /// p * runs_a_processor in words: "p*p".
  virtual const char* runs_formula() const = 0;
  /// The range, 0 to p-1, that a run of a processor draws from.
  virtual std::uint64_t target(const Input& input, std::uint64_t processor, std::uint64_t run) const = 0;

 private:
  /// Run k of all is run k % r of processor k / r. It begins here.
  std::uint64_t run_begin(const Input& input, std::uint64_t k) const {
    const std::uint64_t p = helman::processors(input);
    const std::uint64_t runs = runs_a_processor(input);
    const std::uint64_t begin = helman::part_begin(0, input.n, p, k / runs);
    const std::uint64_t end = helman::part_begin(0, input.n, p, k / runs + 1);
    return helman::part_begin(begin, end - begin, runs, k % runs);
  }
  std::uint64_t target_of(const Input& input, std::uint64_t k) const {
    const std::uint64_t runs = runs_a_processor(input);
    return target(input, k / runs, k % runs);
  }
  /// The last run that begins at or before element i.
  std::uint64_t run_of(const Input& input, std::uint64_t i) const {
    std::uint64_t low = 0;
    std::uint64_t high = helman::processors(input) * runs_a_processor(input);
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (run_begin(input, middle) <= i ? low : high) = middle;
    }
    return low;
  }

  DistributionInfo info_;
};

class Bucket final : public RangesByProcessor {
 public:
  Bucket()
      : RangesByProcessor({.name = "bucket",
                           .title = "B: each processor's keys in p runs, run j uniform in range j",
                           .source = "Helman, Bader & JáJá 1996",
                           .parameters = {}}) {}

 protected:
  std::uint64_t runs_a_processor(const Input& input) const override { return helman::processors(input); }
  const char* runs_formula() const override { return "p*p"; }
  std::uint64_t target(const Input&, std::uint64_t, std::uint64_t run) const override { return run; }
};

class Group final : public RangesByProcessor {
 public:
  Group()
      : RangesByProcessor(
            {.name = "g_group",
             .title = "g-G: groups of g processors draw from g ranges half-way round, one after the other",
             .source = "Helman, Bader & JáJá 1996",
             .parameters = {{.name = "g",
                             .meaning = "processors in a group; divides p",
                             .standard = std::int64_t{2},
                             .range = {1, 1048576}}}}) {}

  std::optional<std::string> declines(const Input& input) const override {
    const std::uint64_t p = helman::processors(input);
    if (p % runs_a_processor(input) != 0) return fmt::format("g={} does not divide p={}", runs_a_processor(input), p);
    return RangesByProcessor::declines(input);
  }

 protected:
  std::uint64_t runs_a_processor(const Input& input) const override {
    return static_cast<std::uint64_t>(input.parameters.integer("g"));
  }
  const char* runs_formula() const override { return "p*g"; }
  std::uint64_t target(const Input& input, std::uint64_t processor, std::uint64_t run) const override {
    const std::uint64_t p = helman::processors(input);
    return (processor - processor % runs_a_processor(input) + p / 2 + run) % p;
  }
};

class Staggered final : public RangesByProcessor {
 public:
  Staggered()
      : RangesByProcessor({.name = "staggered",
                           .title = "S: each processor draws from one range, the first half from odd ones",
                           .source = "Helman, Bader & JáJá 1996",
                           .parameters = {}}) {}

 protected:
  std::uint64_t runs_a_processor(const Input&) const override { return 1; }
  const char* runs_formula() const override { return "p"; }
  std::uint64_t target(const Input& input, std::uint64_t processor, std::uint64_t) const override {
    const std::uint64_t half = helman::processors(input) / 2;
    return processor < half ? 2 * processor + 1 : 2 * (processor - half);
  }
};

const RegisterDistribution bucket{std::make_unique<Bucket>()};
const RegisterDistribution group{std::make_unique<Group>()};
const RegisterDistribution staggered{std::make_unique<Staggered>()};

}  // namespace
}  // namespace sortlab
