// Keys drawn uniformly from few values, evenly spaced over the range of the key.
#include <cmath>

#include "generators/fill_keys.hpp"
#include "generators/formulas/few_distinct.hpp"

namespace sortlab {
namespace {

class FewDistinct final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  std::optional<double> entropy_bits(const Input& input) const override {
    return std::log2(static_cast<double>(input.parameters.integer("distinct")));
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key,
                  [&]<class K>() { fill_keys(FewDistinctKeys<K>{input}, input.seed, input.n, keys, threads); });
  }

 private:
  DistributionInfo info_{.name = "few_distinct",
                         .title = "Keys drawn uniformly from few evenly spaced values",
                         .source = "many duplicates without order",
                         .parameters = {{.name = "distinct",
                                         .meaning = "number of distinct values",
                                         .standard = std::int64_t{16},
                                         .range = {1, 16777216},
                                         .always_shown = true}}};
};

const RegisterDistribution registered{std::make_unique<FewDistinct>()};

}  // namespace
}  // namespace sortlab
