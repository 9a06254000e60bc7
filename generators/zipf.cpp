// Keys whose frequencies follow Zipf's law, drawn by inversion of its cumulative distribution (Gray et al. 1994 give an
// approximation; see zipf_table.hpp for ours). Stehle & Jacobsen 2017 and PARADIS use them with theta = 0.75.
//
// Papers leave open the number of distinct keys and the map from ranks to keys, and both matter to a radix sort.
// `distinct` is n by default. `map` is `identity`, which takes rank i as the key i, so that high digits are 0;
// `bit_reversed`, which reverses the bits of i - 1, so that frequent keys are evenly spaced; or `hashed`, which mixes
// them.
#include "generators/formulas/zipf.hpp"

#include <fmt/format.h>

#include "generators/fill_keys.hpp"

namespace sortlab {
namespace {

class Zipf final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  Parameters resolved(const Input& input) const override {
    Parameters parameters = input.parameters;
    parameters.set("distinct", static_cast<std::int64_t>(zipf_distinct(input)));
    return parameters;
  }

  std::optional<std::string> declines(const Input& input) const override {
    const int bits = input.key == KeyType::i32 ? 31 : key_width(input.key);
    if (bits >= 64 || zipf_distinct(input) < std::uint64_t{1} << bits) return std::nullopt;
    return fmt::format("distinct={} does not fit in {}", zipf_distinct(input), to_name(input.key));
  }

  std::optional<double> entropy_bits(const Input& input) const override {
    if (is_float(input.key) && !one_to_one(input)) return std::nullopt;
    return zipf_entropy_bits(input.parameters.real("theta"), zipf_distinct(input));
  }

  void fill(const Input& input, void* keys, int threads) const override {
    if (input.n == 0) return;
    const ZipfTable& table = zipf_table(input.parameters.real("theta"), zipf_distinct(input));
    with_key_type(input.key, [&]<class K>() {
      with_zipf_map<K>(input, [&]<class Map>(const Map& map) {
        fill_keys(ZipfKeys<K, Map>{table.view(), map}, input.seed, input.n, keys, threads);
      });
    });
  }

 private:
  /// True if different ranks become different float keys.
  static bool one_to_one(const Input& input) {
    const std::string& map = input.parameters.word("map");
    return map != "hashed" && zipf_distinct(input) <= std::uint64_t{1} << (input.key == KeyType::f32 ? 24 : 53);
  }

  DistributionInfo info_{.name = "zipf",
                         .title = "Zipf's law: rank i of N with probability in proportion to i^-theta",
                         .source = "Gray et al. 1994; Stehle & Jacobsen 2017, section 6",
                         .parameters = {{.name = "theta",
                                         .meaning = "exponent; 0 is uniform",
                                         .standard = 0.75,
                                         .range = {0, 4},
                                         .always_shown = true},
                                        {.name = "distinct",
                                         .meaning = "number N of distinct keys; auto: n",
                                         .standard = "auto",
                                         .range = {1, 1099511627776},
                                         .automatic = {1048576}},
                                        {.name = "map",
                                         .meaning = "the key of rank i: i, or i-1 with its bits mirrored or mixed",
                                         .standard = "identity",
                                         .choices = {"identity", "bit_reversed", "hashed"}}}};
};

const RegisterDistribution registered{std::make_unique<Zipf>()};

}  // namespace
}  // namespace sortlab
