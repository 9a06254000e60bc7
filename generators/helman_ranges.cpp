// Helman, Bader and JáJá's inputs in which each processor draws from chosen ranges of the keys: bucket (B), g_group
// (g-G) and staggered (S). They defeat sorts that rely on equal distributions on all processors.
#include <cmath>

#include <fmt/format.h>

#include "generators/fill_keys.hpp"
#include "generators/formulas/processor_ranges.hpp"

namespace sortlab {
namespace {

/// Keys in runs, each uniform in one of p ranges.
template <class Rule>
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
    return helman::too_few(input, ProcessorRuns<Rule>{input}.count(), runs_formula());
  }

  /// Entropy of a key at a random position: a mixture of ranges, each weighted by the share of elements that draw from
  /// it.
  std::optional<double> entropy_bits(const Input& input) const override {
    const KeySpace space = helman::key_space(input);
    if (input.n == 0 || space.distinct_bits(input.key) < space.range_bits) return std::nullopt;
    const ProcessorRuns<Rule> runs{input};
    const std::uint64_t p = runs.rule.p;
    const Ranges ranges{p, space.range_bits};
    std::vector<std::uint64_t> elements(p);
    for (std::uint64_t k = 0; k < runs.count(); ++k) elements[runs.target(k)] += runs.begin(k + 1) - runs.begin(k);
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
      fill_keys(ProcessorRangeKeys<K, Rule>{input}, input.seed, input.n, keys, threads);
    });
  }

 private:
  /// Formula of the number of runs for messages: "p*p".
  virtual const char* runs_formula() const = 0;

  DistributionInfo info_;
};

class Bucket final : public RangesByProcessor<BucketRule> {
 public:
  Bucket()
      : RangesByProcessor({.name = "bucket",
                           .title = "B: each processor's keys in p runs, run j uniform in range j",
                           .source = "Helman, Bader & JáJá 1996",
                           .parameters = {}}) {}

 private:
  const char* runs_formula() const override { return "p*p"; }
};

class Group final : public RangesByProcessor<GroupRule> {
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
    const GroupRule rule{input};
    if (rule.p % rule.runs != 0) return fmt::format("g={} does not divide p={}", rule.runs, rule.p);
    return RangesByProcessor::declines(input);
  }

 private:
  const char* runs_formula() const override { return "p*g"; }
};

class Staggered final : public RangesByProcessor<StaggeredRule> {
 public:
  Staggered()
      : RangesByProcessor({.name = "staggered",
                           .title = "S: each processor draws from one range, the first half from odd ones",
                           .source = "Helman, Bader & JáJá 1996",
                           .parameters = {}}) {}

 private:
  const char* runs_formula() const override { return "p"; }
};

const RegisterDistribution bucket{std::make_unique<Bucket>()};
const RegisterDistribution group{std::make_unique<Group>()};
const RegisterDistribution staggered{std::make_unique<Staggered>()};

}  // namespace
}  // namespace sortlab
