// The runs of an ordered input, and the swaps of its keys.
#pragma once

#include <algorithm>
#include <cstdint>

#include "generators/distribution.hpp"
#include "generators/philox.hpp"
#include "generators/random_integers.hpp"
#include "generators/ranges.hpp"

namespace sortlab {

enum class Order : std::uint8_t { sorted, reverse, nearly_sorted, runs };

/// Number of ascending runs, at most n: more would be of no key or one. Run r covers
/// [floor(r*n/runs), floor((r+1)*n/runs)).
inline std::uint64_t run_count(const Input& input, Order order) {
  if (order != Order::runs) return 1;
  return std::clamp<std::uint64_t>(input.n, 1, static_cast<std::uint64_t>(input.parameters.integer("runs")));
}

/// Number of swaps of pairs, made one after the other.
inline std::uint64_t swap_count(const Input& input) {
  return static_cast<std::uint64_t>(input.parameters.integer("swaps"));
}

/// Calls `use(i, j)` for each swap: two uniform positions. Block s of stream 1 gives swap s; stream 0 holds the keys.
template <class Use>
void for_each_swap(const Input& input, const Use& use) {
  if (input.n == 0) return;
  const RandomStream random{input.seed, 1};
  for (std::uint64_t s = 0, swaps = swap_count(input); s < swaps; ++s) {
    const auto words = random.block(s);
    use(scaled(random64(words.data()), input.n), scaled(random64(words.data() + 2), input.n));
  }
}

}  // namespace sortlab
