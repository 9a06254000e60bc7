// WR of Helman, Bader and JáJá: the worst load for a sort by regular sampling.
//
// Each processor's c keys come in p/2 pairs of ranges. Processors other than 0 put c/s keys more than half of a pair's
// keys into its first range, and one key just above the boundary, where their sample falls. Processor 0 repeats the
// boundary itself c/s times. With s samples per processor, the splitters then divide the keys as unevenly as regular
// sampling allows. The authors divide c by p; where it is no multiple, the shares differ by one key.
#include <fmt/format.h>

#include "generators/fill_keys.hpp"
#include "generators/formulas/worst_regular.hpp"

namespace sortlab {
namespace {

class WorstRegular final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  Parameters resolved(const Input& input) const override {
    Parameters parameters = input.parameters;
    parameters.set("s", static_cast<std::int64_t>(worst_regular_samples(input)));
    return parameters;
  }

  std::optional<std::string> declines(const Input& input) const override {
    const std::uint64_t p = helman::processors(input);
    if (p % 2 != 0) return fmt::format("p={} is odd: ranges come in pairs", p);
    if (worst_regular_samples(input) < p) return fmt::format("s={} is below p={}", worst_regular_samples(input), p);
    // There must be room for p + 1 keys between two boundaries.
    const int bits = worst_regular_space(input).range_bits;
    if (bits < 64 && (std::uint64_t{1} << bits) / p < p + 2) {
      return bits < helman::range_bits(input) ? fmt::format("{} has too few values for p={}", to_name(input.key), p)
                                              : fmt::format("range_bits={} is too small for p={}", bits, p);
    }
    // With c/s = k keys a sample the greatest load is 2 - 1/k times the mean. k = 1 gives a load of 1, so n needs at
    // least 2*p*s keys.
    return helman::too_few(input, 2 * uint128{p} * worst_regular_samples(input), "2*p*s");
  }

  /// Version 2 spreads what c/p leaves over all ranges, and keeps float keys off the boundaries.
  std::int64_t version(const Input& input) const override {
    const std::uint64_t p = helman::processors(input);
    const bool even = quotient(input.n, p) % p == 0 && input.n % p == 0;
    return even && worst_regular_space(input).range_bits == helman::range_bits(input) ? 1 : 2;
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key,
                  [&]<class K>() { fill_keys(WorstRegularKeys<K>{input}, input.seed, input.n, keys, threads); });
  }

 private:
  DistributionInfo info_{.name = "worst_regular",
                         .title = "WR: the worst load for regular sampling",
                         .source = "Helman, JáJá & Bader 1996 (deterministic sorting)",
                         .parameters = {helman::processors_parameter(),
                                        {.name = "s",
                                         .meaning = "samples per processor, at least p; auto: p",
                                         .standard = "auto",
                                         .range = {1, 1048576},
                                         .automatic = {240}},
                                        helman::range_bits_parameter(31),
                                        helman::wide_parameter()}};
};

const RegisterDistribution registered{std::make_unique<WorstRegular>()};

}  // namespace
}  // namespace sortlab
