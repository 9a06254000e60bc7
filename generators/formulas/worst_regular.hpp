// The worst load for a sort by regular sampling: see worst_regular.cpp.
#pragma once

#include "generators/helman.hpp"
#include "generators/random_integers.hpp"
#include "generators/ranges.hpp"

namespace sortlab {

/// Number of samples per processor; by default the number of processors.
inline std::uint64_t worst_regular_samples(const Input& input) {
  return input.parameters.is_auto("s") ? helman::processors(input)
                                       : static_cast<std::uint64_t>(input.parameters.integer("s"));
}

/// The space of the keys: float keys have as many ranks as their significand has values, so that the keys just above a
/// boundary stay apart from it.
inline KeySpace worst_regular_space(const Input& input) {
  return {.range_bits = helman::key_space(input).distinct_bits(input.key)};
}

template <class K>
class WorstRegularKeys {
 public:
  using Pattern = Bits<K>;
  static constexpr int kWords = 4;

  explicit WorstRegularKeys(const Input& input)
      : n_(input.n),
        p_(helman::processors(input)),
        samples_(worst_regular_samples(input)),
        ranges_(p_, worst_regular_space(input).range_bits),
        to_key_(worst_regular_space(input)) {}

  SORTLAB_HOST_DEVICE void operator()(std::uint64_t first, std::uint64_t count, const std::uint32_t* words,
                                      void* chunk) const {
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t processor = part_containing(n_, p_, first + i);
      const std::uint64_t begin = part_begin(0, n_, p_, processor);
      const std::uint64_t c = part_begin(0, n_, p_, processor + 1) - begin;
      const uint128 rank = rank_at(processor, first + i - begin, c, random128(words + 4 * i));
      store(chunk, i, to_key_(static_cast<Pattern>(rank)));
    }
  }

 private:
  /// The rank of element `i` of a processor with `c` keys, which are divided into p parts: a pair of ranges has the
  /// `share` keys of one part and as many more as the next part has, of which `excess` are the first range's.
  SORTLAB_HOST_DEVICE uint128 rank_at(std::uint64_t processor, std::uint64_t i, std::uint64_t c, uint128 random) const {
    const std::uint64_t pair = part_containing(c, p_, i) / 2;
    const std::uint64_t begin = part_begin(0, c, p_, 2 * pair);
    const std::uint64_t share = part_begin(0, c, p_, 2 * pair + 1) - begin;
    const std::uint64_t keys = part_begin(0, c, p_, 2 * pair + 2) - begin;
    const std::uint64_t excess = quotient(uint128{keys - share} * p_, samples_);
    const std::uint64_t k = i - begin;
    const uint128 low = ranges_.boundary(2 * pair);
    const uint128 middle = ranges_.boundary(2 * pair + 1);
    const uint128 high = ranges_.boundary(2 * pair + 2);
    const auto between = [&](uint128 below, uint128 above) { return below + 1 + scaled(random, above - below - 1); };
    if (processor == 0) {
      if (k + 1 < share) return between(low, middle);
      if (k + 1 < share + excess) return middle;
      const bool last_pair = pair == p_ / 2 - 1;
      return k + 1 == keys && !last_pair ? high : between(middle, high);
    }
    if (k + 1 < share + excess) return between(low, middle);
    return k + 1 == share + excess ? middle + processor : between(middle + processor, high);
  }

  std::uint64_t n_;
  std::uint64_t p_;
  std::uint64_t samples_;
  Ranges ranges_;
  KeyOfRank<K> to_key_;
};

}  // namespace sortlab
