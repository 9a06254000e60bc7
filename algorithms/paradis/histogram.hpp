// Counts digits, and finds the remaining bits if all digits are equal.
#pragma once

#include <algorithm>
#include <cstdint>

#include "algorithms/common/host/fetch_ahead.hpp"
#include "algorithms/paradis/elements.hpp"
#include "core/loop_mark.hpp"

namespace sortlab::paradis {

/// Sets counts[d] to the number of keys with digit d. `more` is room for a second set of counters, which take every
/// other key, since consecutive equal digits would otherwise wait for each other's store.
template <class K>
[[gnu::noinline]] void count_digits(const Bits<K>* keys, std::uint64_t n, Digit<K> digit, std::uint64_t* counts,
                                    std::uint64_t* more) {
  const std::uint32_t radix = digit.radix();
  std::fill_n(counts, radix, 0);
  std::fill_n(more, radix, 0);
  std::uint64_t i = 0;
  constexpr std::uint64_t line = kLineBytes / sizeof(Bits<K>);
  for (; i + line <= n; i += line) {
    fetch_ahead(keys + i);
    for (std::uint64_t k = 0; k < line; k += 2) {
      SORTLAB_LOOP("paradis.count", 2, sizeof(K), kImage<K>);
      ++counts[digit(keys[i + k])];
      ++more[digit(keys[i + k + 1])];
    }
  }
  for (; i < n; ++i) ++counts[digit(keys[i])];
  for (std::uint32_t d = 0; d < radix; ++d) counts[d] += more[d];
}

/// Number of low bits in which keys differ; above them every key equals `model`. Words differ in the same bits as their
/// ordered images, except if the sign bit differs, and then all bits are left anyway.
template <class Word>
[[gnu::noinline]] int differing_bits(const Word* keys, std::uint64_t n, Word model) {
  Word difference = 0;
  for (std::uint64_t i = 0; i < n; ++i) difference |= keys[i] ^ model;
  return bit_width(difference);
}

}  // namespace sortlab::paradis
