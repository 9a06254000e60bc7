// Keys of reduced entropy: the bitwise AND of several uniform words (Thearling & Smith, Supercomputing '92).
//
// Each bit of a key is one with probability p = 2^-(ands+1), independently of the others, so the entropy is exactly
// width * h(p) with h the binary entropy. As in the paper, the AND applies to the raw bits of any key type: floats
// become mostly small positive denormals.
#include "generators/thearling.hpp"

#include <cmath>

#include "generators/fill_keys.hpp"
#include "generators/formulas/thearling.hpp"

namespace sortlab {
namespace {

class Thearling final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  bool needs_total_order(const Input& input) const override { return is_float(input.key); }

  std::optional<double> entropy_bits(const Input& input) const override {
    const double p = *bit_probability(input);
    return key_width(input.key) * (-p * std::log2(p) - (1 - p) * std::log1p(-p) / std::log(2.0));
  }

  std::optional<double> bit_probability(const Input& input) const override {
    return thearling_bit_probability(static_cast<double>(ands(input)));
  }

  void fill(const Input& input, void* keys, int threads) const override {
    const std::uint64_t words = input.n * byte_size(input.key) / 4;
    in_parallel(words, threads, kChunk, [&](std::uint64_t begin, std::uint64_t end) {
      std::uint32_t factor[kChunk];
      for (std::uint64_t first = begin; first < end; first += kChunk) {
        const std::uint64_t count = std::min(kChunk, end - first);
        const auto draw = [&](std::uint64_t stream, std::uint32_t* drawn) {
          RandomStream{input.seed, stream}.fill(first, count, drawn);
        };
        and_of_draws(ands(input), count, static_cast<std::uint32_t*>(keys) + first, factor, draw);
      }
    });
  }

 private:
  static std::uint64_t ands(const Input& input) { return static_cast<std::uint64_t>(input.parameters.integer("ands")); }

  DistributionInfo info_{.name = "thearling",
                         .title = "Bitwise AND of uniform words: lower entropy with each AND",
                         .source = "Thearling & Smith 1992",
                         .parameters = {{.name = "ands",
                                         .meaning = "number of AND operations; 0 is uniform",
                                         .standard = std::int64_t{2},
                                         .range = {0, 1000},
                                         .always_shown = true}}};
};

const RegisterDistribution registered{std::make_unique<Thearling>()};

}  // namespace
}  // namespace sortlab
