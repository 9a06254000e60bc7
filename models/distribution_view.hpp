// A model's knowledge of an input: the distribution of its keys over digits, and repetition among neighbours.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generators/distribution.hpp"

namespace sortlab {

/// Made from a trace of the input: all of it, or evenly spread blocks of consecutive keys. All in the order of
/// to_ordered.
class DistributionView {
 public:
  /// Traces at most `limit` keys of the input of `n` keys. If any of its keys can be had without the others, as of a
  /// file, just these are read. Otherwise makes the input, or a smaller one when the keys take more than 16 MiB.
  /// The smaller input uses the distribution's parameters for n keys, so its keys are distributed alike, except
  /// where keys are a formula of n itself: iota, organ_pipe and deterministic_duplicates then count less far. Throws
  /// BadInput if the distribution declines. Not thread-safe.
  DistributionView(const NamedDistribution& named, KeyType key, std::uint64_t n, std::uint64_t seed,
                   std::uint64_t limit = std::uint64_t{1} << 18);

  /// Share of the keys whose digit at bits [shift, shift + bits) has each value; 2^bits entries that sum to 1 (all 0
  /// for an empty input).
  std::vector<double> digit_shares(int shift, int bits) const;

  /// Expected number of distinct digits among `window` consecutive keys of the input.
  double distinct_digits(int shift, int bits, int window) const;

  /// Share of neighbours in input order whose digits are equal.
  double repeated_digits(int shift, int bits) const;

  /// Share of neighbours in input order whose second key is smaller: 0 if sorted, half if in random order.
  double descents() const;

  /// Probability that two keys of the input are equal.
  double equal_keys() const;

  /// The traced keys: consecutive ones of the input, or blocks of consecutive ones.
  std::span<const uint128> trace() const { return trace_; }
  std::size_t block() const { return block_; }

  /// Keys of at most `parts` evenly spread stretches of `count` consecutive keys each, which begin at multiples of
  /// `count`, one after the other; all keys if there are fewer. Makes or reads the input again.
  std::vector<uint128> consecutive(std::uint64_t count, std::uint64_t parts) const;

  /// The traced keys, sorted: which keys share which prefixes.
  std::vector<uint128> sorted() const;

  /// As many keys as are traced, one from each part of the input, sorted: how keys are distributed, also where
  /// neighbours are alike.
  const std::vector<uint128>& spread() const { return spread_; }

  /// The view of keys half as wide as these, of `bits` bits: the upper half of each key, or the lower where all upper
  /// halves are equal.
  DistributionView of_half_width(int bits) const;

  const std::string& name() const { return name_; }  ///< the distribution's short text: "thearling:ands=2"
  /// Probability that a bit of a key is one, where the distribution knows it (Distribution::bit_probability).
  std::optional<double> bit_probability() const { return bit_probability_; }
  const std::string& basis() const { return basis_; }  ///< "trace of 262144 of 16777216 keys"

 private:
  struct Places;

  /// Statistics that were asked for before, by their arguments: models ask again for each machine.
  struct Known {
    std::map<std::array<int, 2>, std::vector<double>> shares;
    std::map<std::array<int, 3>, double> distinct;
    std::map<std::array<int, 2>, double> repeated;
    std::optional<double> descents, equal;
  };

  template <class Holds>
  double of_neighbours(const Holds& holds) const;  ///< share of the neighbours for which holds(key, next)

  const Distribution* distribution_;
  Input input_;                 ///< the input that was traced, or a smaller one
  std::vector<uint128> trace_;  ///< ordered images of consecutive keys, block after block
  std::size_t block_ = 1;       ///< keys in a block
  std::vector<uint128> spread_;
  mutable Known known_;
  std::string name_;
  std::string basis_;
  std::optional<double> bit_probability_;
};

/// Basis of a prediction that describes the input by the probability of its bits alone.
std::string formula_basis(double bit_probability);

}  // namespace sortlab
