// What the sort does and its model charges: passes, buffers, tables of counters, and when a pass counts the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/lsd_digits.hpp"

namespace sortlab::satish {

inline constexpr std::size_t kTablesASweep = 4;   ///< digits counted in one read of the keys
inline constexpr std::size_t kNearLines = 512;    ///< lines to append to that the first-level cache holds at least; of
                                                  ///< more, they are fetched ahead
inline constexpr std::size_t kCounterBytes = 16;  ///< of a digit: two 32-bit counters, which take turns, and a sum
inline constexpr std::size_t kCursorBytes = 20;   ///< of a digit: where it starts, where its next buffer goes, its slot

/// Elements per line of the narrower of keys and values: the other's part of a buffer is then also whole lines.
constexpr std::size_t line_elements(std::size_t line_bytes, std::size_t key_bytes, std::size_t value_bytes) {
  return line_bytes / (value_bytes > 0 ? std::min(key_bytes, value_bytes) : key_bytes);
}

constexpr LsdDigits digits_of(std::size_t key_bytes, int digit_bits) {
  return {8 * static_cast<int>(key_bytes), digit_bits};
}

/// Whether `threads` sort n keys by digits of `radix` values so that each thread counts the next digit while it
/// scatters, in a table for each thread. Tables that exceed the first-level cache, or have few keys per counter, cost
/// more than counting again before each pass.
constexpr bool counts_ahead(std::uint64_t n, int threads, std::size_t radix) {
  constexpr std::size_t most_counters = std::size_t{1} << 14;
  constexpr std::uint64_t least_keys = 8;  // a counter
  const auto team = static_cast<std::size_t>(threads);
  return threads > 1 && team * radix <= most_counters && n / team >= least_keys * team * radix;
}

}  // namespace sortlab::satish
