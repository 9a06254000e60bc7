// Keys of a segment or bucket as msd_tree.cpp knows them: independent bits, or a range of a sorted sample; and how a
// block meets such keys.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "algorithms/msd_radix_gpu/model/tree.hpp"

namespace sortlab::msd_tree {

using Random = std::mt19937_64;
using Word = std::uint64_t;

inline constexpr double kPairs = 32;  ///< equal pairs that suffice to estimate how often digits repeat

/// A bit of each is one with chance 2^-(ands + 1).
inline Word bits_of(Random& random, int ands, int left) {
  if (ands < 0 || left <= 0) return 0;
  Word key = random();
  for (int i = 0; i < ands; ++i) key &= random();
  return left >= 64 ? key : key & ((Word{1} << left) - 1);
}
inline double one_of(int ands) {
  return ands < 0 ? 0 : std::exp2(-(ands + 1.0));
}

/// The chance of a one in each of `bits` independent bits with which two keys agree in all of them with chance `equal`.
inline double ones_of(double equal, int bits) {
  const double of_bit = std::pow(std::clamp(equal, 0.0, 1.0), 1.0 / bits);  // p^2 + (1 - p)^2
  return of_bit <= 0.5 ? 0.5 : (1 - std::sqrt(2 * of_bit - 1)) / 2;
}
/// Of the digits of 8 such bits the share of the most frequent one.
inline double hottest_of(double equal, int bits) {
  return std::pow(1 - ones_of(equal, bits), msd_gpu::kDigitBits);
}
inline double equal_of(double one, int bits) {
  return std::pow(one * one + (1 - one) * (1 - one), bits);
}

inline double pairs(double keys) {
  return keys * (keys - 1);
}

/// A range of a sorted sample, which somebody else keeps.
struct Sample {
  const std::vector<Word>* all = nullptr;
  std::size_t begin = 0, end = 0;

  std::size_t size() const { return end - begin; }
  Word at(std::size_t i) const { return (*all)[begin + i]; }
  Sample range(std::size_t first, std::size_t last) const { return {all, begin + first, begin + last}; }
  /// A key such as those of the sample: one of them where it has equals, else one near it.
  Word draw(Random& random) const {
    const std::size_t i = random() % size();
    const Word key = at(i);
    if ((i > 0 && at(i - 1) == key) || (i + 1 < size() && at(i + 1) == key)) return key;
    constexpr std::size_t kBeside = 8;
    const Word low = at(i < kBeside ? 0 : i - kBeside), high = at(std::min(i + kBeside, size() - 1));
    return high > low ? low + random() % (high - low) : low;
  }
  /// Equal pairs, ordered, by the bits from `shift` on.
  double equal_pairs(int shift) const {
    double equal = 0;
    for (std::size_t first = 0, last = 0; first < size(); first = last) {
      while (last < size() && (at(last) >> shift) == (at(first) >> shift)) ++last;
      equal += pairs(static_cast<double>(last - first));
    }
    return equal;
  }
};

/// How a block meets keys (bucket.cuh), by keys made such as they are.
class Judge {
 public:
  /// Of keys of so many bits. `random` is the caller's.
  Judge(int bits, Random& random) : bits_(bits), random_(random) {}

  /// So many keys such as those of a sample; all of them where there are not more. Keys that the sample has often are
  /// as frequent as there; the others lie anywhere near those sampled, as many different ones as their equal pairs say.
  std::vector<Word> keys_of(const Sample& sample, double count);

  /// How a block meets these keys (bucket.cuh: sort_even).
  Kinds judged(const std::vector<Word>& keys, const msd_gpu::Shape& block);

 private:
  /// How often a few of the keys are clumped, whichever they are.
  template <class PartOf>
  double chance_of_clumps(const std::vector<Word>& keys, const PartOf& part_of);

  int bits_;
  Random& random_;
};

}  // namespace sortlab::msd_tree
