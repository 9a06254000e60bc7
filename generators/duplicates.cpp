// Helman, Bader and JáJá's inputs of few small keys: deterministic_duplicates (DD) and randomized_duplicates (RD).
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "generators/fill_keys.hpp"
#include "generators/formulas/duplicates.hpp"
#include "generators/helman.hpp"

namespace sortlab {
namespace {

template <class K>
void fill_with(void* keys, std::uint64_t begin, std::uint64_t end, std::uint64_t value) {
  for (std::uint64_t i = begin; i < end; ++i) store<Bits<K>>(keys, i, key_of_integer<K>(value));
}

/// DD. Without p these are the authors' keys for every p that is a power of two. The authors do not define other p;
/// Leischner et al. use 240 of them.
class DeterministicDuplicates final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  std::optional<std::string> declines(const Input& input) const override {
    return helman::too_few(input, deterministic_blocks(input), "p");
  }

  std::optional<double> entropy_bits(const Input& input) const override {
    std::array<double, 64> share{};  // runs of one value add up
    for_each_duplicate(input.n, deterministic_blocks(input),
                       [&](std::uint64_t begin, std::uint64_t end, std::uint64_t value) {
                         share[value] += static_cast<double>(end - begin) / static_cast<double>(input.n);
                       });
    double entropy = 0;
    for (const double p : share) entropy -= p > 0 ? p * std::log2(p) : 0;
    return entropy;
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      fill_keys(DeterministicDuplicateKeys<K>{input.n, deterministic_blocks(input)}, input.seed, input.n, keys,
                threads);
    });
  }

 private:
  DistributionInfo info_{.name = "deterministic_duplicates",
                         .title = "DD: half of the keys floor(log2 n), a quarter one less, and so on",
                         .source = "Helman, Bader & JáJá 1996",
                         .parameters = {{.name = "p",
                                         .meaning = "blocks of which half have the first value; 0: elements, as for "
                                                    "any power of two",
                                         .standard = std::int64_t{0},
                                         .range = {0, 1048576},
                                         .later = true}}};
};

/// RD. Each processor divides its c keys by `range` random weights T[t] of 1 to range. For t = 0, 1, ..., floor(T[t] *
/// c / sum T) keys are one random value below range. The last value fills the rest, unless that is longer than the mean
/// run; then the runs share it. Stream i gives processor i its weights and values.
class RandomizedDuplicates final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  std::optional<std::string> declines(const Input& input) const override {
    const std::uint64_t p = helman::processors(input);
    if (auto reason = helman::too_few(input, p, "p")) return reason;
    const auto runs = static_cast<std::uint64_t>(input.parameters.integer("range")) * p;
    if (runs <= allowed_work(input.n)) return std::nullopt;
    return fmt::format("p * range = {} runs are too many for {} keys; allowed: 1 to {}", runs, input.n,
                       allowed_work(input.n));
  }

  /// Version 2 shares the rest.
  std::int64_t version(const Input& input) const override {
    return shares_rest(input.n, helman::processors(input),
                       static_cast<std::uint64_t>(input.parameters.integer("range")))
               ? 2
               : 1;
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      const std::uint64_t p = helman::processors(input);
      const auto range = static_cast<std::uint64_t>(input.parameters.integer("range"));
      in_parallel(p, threads, 1, [&](std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t processor = first; processor < last; ++processor) {
          fill_processor<K>({{input.seed, processor}, range, shares_rest(input.n, p, range)}, keys,
                            part_begin(0, input.n, p, processor), part_begin(0, input.n, p, processor + 1));
        }
      });
    });
  }

 private:
  template <class K>
  static void fill_processor(const RandomDuplicates& runs, void* keys, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t sum = 0;
    for (std::uint64_t t = 0; t < runs.range; ++t) sum += runs.weight(t);
    const std::uint64_t c = end - begin;
    std::uint64_t steps = 0;
    for (std::uint64_t t = 0; t < runs.range; ++t) {
      const std::uint64_t from = begin + runs.begin(steps, c, sum);
      steps += runs.step(t, c, sum);
      const bool is_last = t + 1 == runs.range;
      fill_with<K>(keys, from, is_last ? end : begin + runs.begin(steps, c, sum), runs.value(t));
    }
  }

  DistributionInfo info_{.name = "randomized_duplicates",
                         .title = "RD: each processor's keys in runs of equal random values, of random lengths",
                         .source = "Helman, Bader & JáJá 1996",
                         .parameters = {helman::processors_parameter(),
                                        {.name = "range",
                                         .meaning = "values are below range; also the number of runs per processor",
                                         .standard = std::int64_t{32},
                                         .range = {1, 65536}}}};
};

const RegisterDistribution deterministic{std::make_unique<DeterministicDuplicates>()};
const RegisterDistribution randomized{std::make_unique<RandomizedDuplicates>()};

}  // namespace
}  // namespace sortlab
