// Uniform keys, as all four papers use them. With range_bits=31 these are the U of Helman, Bader and JáJá (32-bit
// keys).
#include "generators/formulas/uniform.hpp"
#include "generators/fill_keys.hpp"

namespace sortlab {
namespace {

class Uniform final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  std::optional<std::string> declines(const Input& input) const override { return key_space_declines(input); }
  Parameters resolved(const Input& input) const override { return resolve_key_space(input); }
  bool needs_total_order(const Input& input) const override { return key_space(input).has_nan(input.key); }
  std::optional<double> entropy_bits(const Input& input) const override {
    return key_space(input).distinct_bits(input.key);
  }
  std::optional<double> bit_probability(const Input& input) const override { return uniform_bit_probability(input); }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key,
                  [&]<class K>() { fill_in_place<Bits<K>>(UniformKey<K>{input}, input.seed, input.n, keys, threads); });
  }

 private:
  DistributionInfo info_{.name = "uniform",
                         .title = "Uniform keys",
                         .source = "all four papers; U of Helman, Bader & JáJá 1996 with range_bits=31",
                         .parameters = {range_bits_parameter(), floats_parameter()}};
};

const RegisterDistribution registered{std::make_unique<Uniform>()};

}  // namespace
}  // namespace sortlab
