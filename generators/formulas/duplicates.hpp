// Few small keys: deterministic_duplicates (DD) and randomized_duplicates (RD).
#pragma once

#include "generators/key_space.hpp"
#include "generators/philox.hpp"
#include "generators/random_integers.hpp"
#include "generators/ranges.hpp"

namespace sortlab {

/// Calls `use(begin, end, value)` for the runs of equal keys of DD. The first n/2 elements are floor(log2 n), the next
/// n/4 are one less, and so on down to one element that is 1. The remaining elements are 0.
template <class Use>
constexpr void for_each_duplicate(std::uint64_t n, const Use& use) {
  if (n == 0) return;
  std::uint64_t value = 0;
  for (std::uint64_t half = n / 2; half >= 1; half /= 2) ++value;
  std::uint64_t begin = 0;
  for (std::uint64_t half = n / 2; half >= 1; half /= 2, --value) {
    use(begin, begin + half, value);
    begin += half;
  }
  use(begin, n, value);
}

template <class K>
struct DeterministicDuplicateKeys {
  using Pattern = Bits<K>;
  static constexpr int kWords = 0;
  std::uint64_t n;

  SORTLAB_HOST_DEVICE void operator()(std::uint64_t first, std::uint64_t count, const std::uint32_t*,
                                      void* chunk) const {
    for_each_duplicate(n, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t value) {
      begin = std::max(begin, first);
      end = std::min(end, first + count);
      for (std::uint64_t i = begin; i < end; ++i) store(chunk, i - first, key_of_integer<K>(value));
    });
  }
};

/// The c keys of one processor of RD: `range` runs t = 0, 1, ..., each of `length` keys `value(t)`. The last value
/// fills the rest. The processor's number is its random stream.
struct RandomDuplicates {
  RandomStream random;
  std::uint64_t range;

  SORTLAB_HOST_DEVICE std::uint64_t weight(std::uint64_t t) const {
    return 1 + scaled(random64(random.block(t).data()), range);
  }
  SORTLAB_HOST_DEVICE std::uint64_t value(std::uint64_t t) const {
    return scaled(random64(random.block(t).data() + 2), range);
  }
  SORTLAB_HOST_DEVICE std::uint64_t length(std::uint64_t t, std::uint64_t c, std::uint64_t sum_of_weights) const {
    return quotient(uint128{weight(t)} * c, sum_of_weights);
  }
};

}  // namespace sortlab
