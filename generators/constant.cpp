// All keys equal: the limit of many ANDs in Thearling & Smith, and Z of Helman, Bader and JáJá.
#include "generators/fill_keys.hpp"
#include "generators/formulas/sequences.hpp"

namespace sortlab {
namespace {

void fill_constant(const Input& input, std::uint64_t value, void* keys, int threads) {
  with_key_type(input.key, [&]<class K>() {
    fill_keys(SequenceKeys<K, ConstantSequence>{ConstantSequence{value}}, input.seed, input.n, keys, threads);
  });
}

class Constant final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }
  std::optional<double> entropy_bits(const Input&) const override { return 0.0; }
  std::optional<double> bit_probability(const Input&) const override { return 0.0; }
  void fill(const Input& input, void* keys, int threads) const override {
    fill_constant(input, static_cast<std::uint64_t>(input.parameters.integer("value")), keys, threads);
  }

 private:
  DistributionInfo info_{
      .name = "constant",
      .title = "All keys equal",
      .source = "Thearling & Smith 1992: the limit of entropy 0",
      .parameters = {{.name = "value", .meaning = "the key", .standard = std::int64_t{0}, .range = {0, 2147483647}}}};
};

class Zero final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }
  std::optional<double> entropy_bits(const Input&) const override { return 0.0; }
  std::optional<double> bit_probability(const Input&) const override { return 0.0; }
  void fill(const Input& input, void* keys, int threads) const override { fill_constant(input, 0, keys, threads); }

 private:
  DistributionInfo info_{
      .name = "zero", .title = "Z: all keys 0", .source = "Helman, Bader & JáJá 1996", .parameters = {}};
};

const RegisterDistribution constant{std::make_unique<Constant>()};
const RegisterDistribution zero{std::make_unique<Zero>()};

}  // namespace
}  // namespace sortlab
