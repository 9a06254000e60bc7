// Keys drawn evenly from few values, which lie evenly over the range of the key: value j of D is floor(j * 2^w / D) for
// a key of w bits.
#include <cmath>

#include "generators/ranges.hpp"
#include "generators/uniform_ranks.hpp"

namespace sortlab {
namespace {

class FewDistinct final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  std::optional<double> entropy_bits(const Input& input) const override {
    return std::log2(static_cast<double>(distinct(input)));
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      // D is at most 2^24, so that f32 tells the values apart.
      const KeySpace space{.range_bits = width_of(input.key)};
      const KeyOfRank<K> key_of{space};
      const std::uint64_t values = distinct(input);
      const Ranges ranges{values, space.range_bits};
      for_each_chunk<2>(input.seed, 0, input.n, threads,
                        [&](std::uint64_t first, std::uint64_t count, const std::uint32_t* words) {
                          for (std::uint64_t i = 0; i < count; ++i) {
                            const std::uint64_t j = scaled(random64(words + 2 * i), values);
                            store<Bits<K>>(keys, first + i, key_of(static_cast<Bits<K>>(ranges.boundary(j))));
                          }
                        });
    });
  }

 private:
  static std::uint64_t distinct(const Input& input) {
    return static_cast<std::uint64_t>(input.parameters.integer("distinct"));
  }

  DistributionInfo info_{.name = "few_distinct",
                         .title = "Keys drawn evenly from few values, evenly apart",
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
