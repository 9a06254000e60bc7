// G of Helman, Bader and JáJá: the sum of four quarters of uniform keys, close to a normal distribution.
#include "generators/formulas/gaussian.hpp"
#include "generators/fill_keys.hpp"

namespace sortlab {
namespace {

class Gaussian final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() { fill_keys(GaussianKeys<K>{input}, input.seed, input.n, keys, threads); });
  }

 private:
  DistributionInfo info_{.name = "gaussian",
                         .title = "G: the sum of four quarters of uniform keys",
                         .source = "Helman, Bader & JáJá 1996",
                         .parameters = {helman::range_bits_parameter(32), helman::wide_parameter()}};
};

const RegisterDistribution registered{std::make_unique<Gaussian>()};

}  // namespace
}  // namespace sortlab
