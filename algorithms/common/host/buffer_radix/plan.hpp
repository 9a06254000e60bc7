// Plan of the buffer radix sort, which sorts run and models charge: passes, buffers, tables of counters, and counting
// ahead.
//
// The namespace is named after Satish et al., whose radix sort this is. It lies here since several sorts run it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/lsd_digits.hpp"

namespace sortlab::satish {

inline constexpr std::size_t kTablesASweep = 4;   ///< digits counted in one read of the keys
inline constexpr std::size_t kNearLines = 512;    ///< buffer lines that any first-level cache holds; more lines are
                                                  ///< prefetched
inline constexpr std::size_t kCounterBytes = 16;  ///< bytes per digit: two 32-bit counters, used in turn, and a sum
inline constexpr std::size_t kCursorBytes = 20;  ///< bytes per digit: its start, the place of its next buffer, its slot

/// Elements per line of the narrower of keys and values. Buffers of whole lines of these have whole lines of both.
constexpr std::size_t line_elements(std::size_t line_bytes, std::size_t key_bytes, std::size_t value_bytes) {
  return line_bytes / (value_bytes > 0 ? std::min(key_bytes, value_bytes) : key_bytes);
}

constexpr LsdDigits lsd_digits(std::size_t key_bytes, int digit_bits) {
  return {8 * static_cast<int>(key_bytes), digit_bits};
}

/// True if each of `threads` threads counts the next digit while it scatters n keys, in a table for each thread. Tables
/// that exceed the first-level cache, or that have few keys per counter, cost more than a separate count before each
/// pass.
constexpr bool counts_ahead(std::uint64_t n, int threads, std::size_t radix) {
  constexpr std::size_t most_counters = std::size_t{1} << 14;
  constexpr std::uint64_t least_keys = 8;  // per counter
  const auto team = static_cast<std::size_t>(threads);
  return threads > 1 && team * radix <= most_counters && n / team >= least_keys * team * radix;
}

}  // namespace sortlab::satish
