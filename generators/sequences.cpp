// Inputs that depend only on the position: iota (0, 1, 2, ...) and organ_pipe (0, 1, 2, ..., 2, 1, 0).
#include <cmath>

#include <fmt/format.h>

#include "generators/fill_keys.hpp"
#include "generators/formulas/sequences.hpp"

namespace sortlab {
namespace {

template <class Formula>
class Sequence : public Distribution {
 public:
  explicit Sequence(DistributionInfo info) : info_(std::move(info)) {}
  const DistributionInfo& info() const override { return info_; }

  std::optional<std::string> declines(const Input& input) const override {
    const int bits = input.key == KeyType::i32 ? 31 : input.key == KeyType::i64 ? 63 : key_width(input.key);
    if (bits >= 64 || Formula::largest(input.n) < std::uint64_t{1} << bits) return std::nullopt;
    return fmt::format("n={} counts beyond the largest {}", input.n, to_name(input.key));
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      fill_keys(SequenceKeys<K, Formula>{Formula{input.n}}, input.seed, input.n, keys, threads);
    });
  }

 protected:
  /// True if different values give different keys: f32 rounds integers above 2^24, f64 above 2^53.
  bool exact(const Input& input) const {
    const std::uint64_t exact_below = std::uint64_t{1} << (input.key == KeyType::f32 ? 24 : 53);
    return !is_float(input.key) || Formula::largest(input.n) <= exact_below;
  }

 private:
  DistributionInfo info_;
};

class Iota final : public Sequence<IotaSequence> {
 public:
  Iota()
      : Sequence({.name = "iota",
                  .title = "0, 1, 2, ...: each position, as a key",
                  .source = "the densest sorted input",
                  .parameters = {}}) {}
  std::optional<double> entropy_bits(const Input& input) const override {
    if (!exact(input)) return std::nullopt;
    return input.n == 0 ? 0 : std::log2(static_cast<double>(input.n));
  }
};

class OrganPipe final : public Sequence<OrganPipeSequence> {
 public:
  OrganPipe()
      : Sequence({.name = "organ_pipe",
                  .title = "0, 1, 2, ..., 2, 1, 0: up to the middle and down again",
                  .source = "McIlroy 1999 and earlier tests of quicksort",
                  .parameters = {}}) {}
  /// Entropy: every value occurs twice, except the middle one if n is odd.
  std::optional<double> entropy_bits(const Input& input) const override {
    if (!exact(input)) return std::nullopt;
    if (input.n == 0) return 0;
    const double n = static_cast<double>(input.n);
    return std::log2(n) - 2 * std::floor(n / 2) / n;
  }
};

const RegisterDistribution iota{std::make_unique<Iota>()};
const RegisterDistribution organ_pipe{std::make_unique<OrganPipe>()};

}  // namespace
}  // namespace sortlab
