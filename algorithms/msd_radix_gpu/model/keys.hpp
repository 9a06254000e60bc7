// Keys of a segment or bucket: independent bits, or a range of a sorted sample; and their distribution as a block finds
// it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "algorithms/msd_radix_gpu/model/tree.hpp"
#include "generators/thearling.hpp"

namespace sortlab::msd_tree {

using Random = std::mt19937_64;
using Word = std::uint64_t;

inline constexpr double kPairs = 32;  ///< equal pairs that suffice to estimate how often digits repeat

/// Random key of `bits` independent bits, each one with probability `one`: 0, or that of some number of ANDs.
inline Word random_bits(Random& random, double one, int bits) {
  if (one <= 0 || bits <= 0) return 0;
  const auto ands = static_cast<int>(std::lround(thearling_ands(one)));
  Word key = random();
  for (int i = 0; i < ands; ++i) key &= random();
  return bits >= 64 ? key : key & ((Word{1} << bits) - 1);
}

/// Probability of a one in each of `bits` independent bits, if two keys agree in all of them with probability `equal`.
inline double bit_probability(double equal, int bits) {
  const double of_bit = std::pow(std::clamp(equal, 0.0, 1.0), 1.0 / bits);  // p^2 + (1 - p)^2
  return of_bit <= 0.5 ? 0.5 : (1 - std::sqrt(2 * of_bit - 1)) / 2;
}
/// Share of the most frequent digit of 8 such bits.
inline double hottest_share(double equal, int bits) {
  return std::pow(1 - bit_probability(equal, bits), msd_gpu::kDigitBits);
}
/// Probability that two keys agree in `bits` independent bits, each one with probability `one`.
inline double equal_probability(double one, int bits) {
  return std::pow(one * one + (1 - one) * (1 - one), bits);
}

/// Ordered pairs of different keys.
inline double pairs(double keys) {
  return keys * (keys - 1);
}

/// A range of a sorted sample that the caller owns.
struct Sample {
  const std::vector<Word>* all = nullptr;
  std::size_t begin = 0, end = 0;

  std::size_t size() const { return end - begin; }
  Word at(std::size_t i) const { return (*all)[begin + i]; }
  Sample range(std::size_t first, std::size_t last) const { return {all, begin + first, begin + last}; }
  /// Draws a key as the input may hold it. It picks a sampled key and returns it if the sample holds it twice, else a
  /// random key between two sampled neighbours of it.
  Word draw(Random& random) const {
    const std::size_t i = random() % size();
    const Word key = at(i);
    if ((i > 0 && at(i - 1) == key) || (i + 1 < size() && at(i + 1) == key)) return key;
    constexpr std::size_t kBeside = 8;
    const Word low = at(i < kBeside ? 0 : i - kBeside), high = at(std::min(i + kBeside, size() - 1));
    return high > low ? low + random() % (high - low) : low;
  }
  /// Ordered pairs of keys that agree in the bits from `shift` on.
  double equal_pairs(int shift) const {
    double equal = 0;
    for (std::size_t first = 0, last = 0; first < size(); first = last) {
      while (last < size() && (at(last) >> shift) == (at(first) >> shift)) ++last;
      equal += pairs(static_cast<double>(last - first));
    }
    return equal;
  }
};

/// Classifies keys as a block does (bucket.cuh), on drawn keys.
class Judge {
 public:
  /// `bits`: width of the keys; `random`: the caller's, which must outlive this.
  Judge(int bits, Random& random) : bits_(bits), random_(random) {}

  /// Draws `count` keys from a sample, or returns all keys of a sample that has no more. Repeated keys keep their
  /// frequency; the others lie near sampled ones, with as many distinct keys as the equal pairs imply.
  std::vector<Word> draw_keys(const Sample& sample, double count);

  /// Kind of these keys for a block of this shape (bucket.cuh: sort_even).
  Kinds judged(const std::vector<Word>& keys, const msd_gpu::Shape& block);

 private:
  /// Probability that a few of the keys, whichever, are clumped.
  template <class PartOf>
  double chance_of_clumps(const std::vector<Word>& keys, const PartOf& part_of);

  int bits_;
  Random& random_;
};

}  // namespace sortlab::msd_tree
