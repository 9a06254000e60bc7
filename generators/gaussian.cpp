// G of Helman, Bader and JáJá: the sum of four quarters of uniform keys, which is near to a normal distribution.
#include "generators/helman.hpp"
#include "generators/uniform_ranks.hpp"

namespace sortlab {
namespace {

class Gaussian final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      using B = Bits<K>;
      constexpr int words_a_draw = sizeof(B) / 4;
      const KeySpace space = helman::key_space(input);
      const KeyOfRank<K> key_of{space};
      const int cut = width_of(input.key) - space.range_bits;
      for_each_chunk<4 * words_a_draw>(input.seed, 0, input.n, threads,
                                       [&](std::uint64_t first, std::uint64_t count, const std::uint32_t* words) {
                                         for (std::uint64_t i = 0; i < count; ++i) {
                                           B sum = 0;
                                           for (std::uint64_t draw = 0; draw < 4; ++draw)
                                             sum += (load<B>(words, 4 * i + draw) >> cut) / 4;
                                           store<B>(keys, first + i, key_of(sum));
                                         }
                                       });
    });
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
