// Inputs that are a formula of the position: iota (0, 1, 2, ...) and organ_pipe (0, 1, 2, ..., 2, 1, 0).
#include <cmath>

#include <fmt/format.h>

#include "generators/key_space.hpp"
#include "generators/parallel.hpp"
#include "generators/uniform_ranks.hpp"

namespace sortlab {
namespace {

class Sequence : public Distribution {
 public:
  explicit Sequence(DistributionInfo info) : info_(std::move(info)) {}
  const DistributionInfo& info() const override { return info_; }

  std::optional<std::string> declines(const Input& input) const override {
    const int bits = input.key == KeyType::i32 ? 31 : input.key == KeyType::i64 ? 63 : width_of(input.key);
    if (bits >= 64 || largest(input.n) < std::uint64_t{1} << bits) return std::nullopt;
    return fmt::format("n={} counts beyond the largest {}", input.n, name_of(input.key));
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      in_parallel(input.n, threads, kChunk, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) store<Bits<K>>(keys, i, key_of_integer<K>(value(i, input.n)));
      });
    });
  }

 protected:
  virtual std::uint64_t value(std::uint64_t i, std::uint64_t n) const = 0;
  virtual std::uint64_t largest(std::uint64_t n) const = 0;

  /// Whether different values are different keys: f32 rounds integers above 2^24, f64 above 2^53.
  bool exact(const Input& input) const {
    return !is_float(input.key) || largest(input.n) <= std::uint64_t{1} << (input.key == KeyType::f32 ? 24 : 53);
  }

 private:
  DistributionInfo info_;
};

class Iota final : public Sequence {
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

 protected:
  std::uint64_t value(std::uint64_t i, std::uint64_t) const override { return i; }
  std::uint64_t largest(std::uint64_t n) const override { return n == 0 ? 0 : n - 1; }
};

class OrganPipe final : public Sequence {
 public:
  OrganPipe()
      : Sequence({.name = "organ_pipe",
                  .title = "0, 1, 2, ..., 2, 1, 0: up to the middle and down again",
                  .source = "McIlroy 1999 and earlier tests of quicksort",
                  .parameters = {}}) {}
  /// All values stand twice, but for the middle one of an odd number.
  std::optional<double> entropy_bits(const Input& input) const override {
    if (!exact(input)) return std::nullopt;
    if (input.n == 0) return 0;
    const double n = static_cast<double>(input.n);
    return std::log2(n) - 2 * std::floor(n / 2) / n;
  }

 protected:
  std::uint64_t value(std::uint64_t i, std::uint64_t n) const override { return std::min(i, n - 1 - i); }
  std::uint64_t largest(std::uint64_t n) const override { return n == 0 ? 0 : (n - 1) / 2; }
};

const RegisterDistribution iota{std::make_unique<Iota>()};
const RegisterDistribution organ_pipe{std::make_unique<OrganPipe>()};

}  // namespace
}  // namespace sortlab
