// Helman, Bader and JáJá's inputs of few small keys: deterministic_duplicates (DD) and randomized_duplicates (RD).
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

/// DD. These are the authors' keys for every p that is a power of two. The authors do not define other p.
class DeterministicDuplicates final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  std::optional<double> entropy_bits(const Input& input) const override {
    double entropy = 0;
    for_each_duplicate(input.n, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t) {
      const double share = static_cast<double>(end - begin) / static_cast<double>(input.n);
      if (share > 0) entropy -= share * std::log2(share);
    });
    return entropy;
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      fill_keys(DeterministicDuplicateKeys<K>{input.n}, input.seed, input.n, keys, threads);
    });
  }

 private:
  DistributionInfo info_{.name = "deterministic_duplicates",
                         .title = "DD: half of the keys floor(log2 n), a quarter one less, and so on",
                         .source = "Helman, Bader & JáJá 1996",
                         .parameters = {}};
};

/// RD. Each processor divides its c keys by `range` random weights T[t] of 1 to range. For t = 0, 1, ..., floor(T[t] *
/// c / sum T) keys are one random value below range. The last value fills the rest. Stream i gives processor i its
/// weights and values.
class RandomizedDuplicates final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  std::optional<std::string> declines(const Input& input) const override {
    return helman::too_few(input, helman::processors(input), "p");
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      const std::uint64_t p = helman::processors(input);
      const auto range = static_cast<std::uint64_t>(input.parameters.integer("range"));
      in_parallel(p, threads, 1, [&](std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t processor = first; processor < last; ++processor) {
          fill_processor<K>({{input.seed, processor}, range}, keys, part_begin(0, input.n, p, processor),
                            part_begin(0, input.n, p, processor + 1));
        }
      });
    });
  }

 private:
  template <class K>
  static void fill_processor(const RandomDuplicates& runs, void* keys, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t sum = 0;
    for (std::uint64_t t = 0; t < runs.range; ++t) sum += runs.weight(t);
    std::uint64_t place = begin;
    for (std::uint64_t t = 0; t < runs.range; ++t) {
      const std::uint64_t length = runs.length(t, end - begin, sum);
      fill_with<K>(keys, place, place + length, runs.value(t));
      place += length;
    }
    fill_with<K>(keys, place, end, runs.value(runs.range - 1));
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
