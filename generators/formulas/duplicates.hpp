// Few small keys: deterministic_duplicates (DD) and randomized_duplicates (RD).
#pragma once

#include "generators/key_space.hpp"
#include "generators/philox.hpp"
#include "generators/random_integers.hpp"
#include "generators/ranges.hpp"

namespace sortlab {

/// Calls `use(begin, end, value)` for the runs of equal keys of DD. The first half of the p blocks of n/p elements are
/// floor(log2 n), the next quarter of the blocks one less, and so on as long as there is a whole block; the elements of
/// the remaining blocks go on in the same way, down to one element. Whatever then remains is 0, as is whatever would be
/// below 0. With p = 0 elements are divided from the start, which is the same for every p that is a power of two.
template <class Use>
constexpr void for_each_duplicate(std::uint64_t n, std::uint64_t p, const Use& use) {
  if (n == 0) return;
  std::uint64_t value = 0;
  for (std::uint64_t half = n / 2; half >= 1; half /= 2) ++value;
  std::uint64_t begin = 0;
  std::uint64_t block = 0;
  for (std::uint64_t blocks = p / 2; blocks >= 1; blocks /= 2, value -= value > 0) {
    block += blocks;
    const std::uint64_t end = part_begin(0, n, p, block);
    use(begin, end, value);
    begin = end;
  }
  for (std::uint64_t half = (n - begin) / 2; half >= 1 && value > 0; half /= 2, --value) {
    use(begin, begin + half, value);
    begin += half;
  }
  use(begin, n, 0);
}

/// DD's option `p`: number of blocks, or 0.
inline std::uint64_t deterministic_blocks(const Input& input) {
  return static_cast<std::uint64_t>(input.parameters.integer("p"));
}

template <class K>
struct DeterministicDuplicateKeys {
  using Pattern = Bits<K>;
  static constexpr int kWords = 0;
  std::uint64_t n;
  std::uint64_t p;

  SORTLAB_HOST_DEVICE void operator()(std::uint64_t first, std::uint64_t count, const std::uint32_t*,
                                      void* chunk) const {
    for_each_duplicate(n, p, [&](std::uint64_t begin, std::uint64_t end, std::uint64_t value) {
      begin = std::max(begin, first);
      end = std::min(end, first + count);
      for (std::uint64_t i = begin; i < end; ++i) store(chunk, i - first, key_of_integer<K>(value));
    });
  }
};

/// True if RD's runs divide all keys of a processor among themselves. The authors round every run down and give the
/// last value the rest, which is longer than the mean run if a processor has fewer than range^2 keys.
inline bool shares_rest(std::uint64_t n, std::uint64_t p, std::uint64_t range) {
  return uint128{n} < uint128{p} * range * range;
}

/// The c keys of one processor of RD: `range` runs t = 0, 1, ..., each of keys `value(t)`. The processor's number is
/// its random stream. Runs begin where the sum of the steps before them says.
struct RandomDuplicates {
  RandomStream random;
  std::uint64_t range;
  bool shared_rest;

  SORTLAB_HOST_DEVICE std::uint64_t weight(std::uint64_t t) const {
    return 1 + scaled(random64(random.block(t).data()), range);
  }
  SORTLAB_HOST_DEVICE std::uint64_t value(std::uint64_t t) const {
    return scaled(random64(random.block(t).data() + 2), range);
  }
  SORTLAB_HOST_DEVICE std::uint64_t step(std::uint64_t t, std::uint64_t c, std::uint64_t sum_of_weights) const {
    return shared_rest ? weight(t) : quotient(uint128{weight(t)} * c, sum_of_weights);
  }
  SORTLAB_HOST_DEVICE std::uint64_t begin(std::uint64_t steps, std::uint64_t c, std::uint64_t sum_of_weights) const {
    return shared_rest ? quotient(uint128{steps} * c, sum_of_weights) : steps;
  }
};

}  // namespace sortlab
