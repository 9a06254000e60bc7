// The speed of a sort on this processor, for the choice of an instruction set.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/raw_clock.hpp"

namespace sortlab {

/// Seconds that `sort` takes for 8192 random keys: the best of five trials, of 0.02 to 0.3 ms each.
template <class Sort>
double trial_seconds(const Sort& sort) {
  constexpr std::size_t n = 8192;
  std::vector<std::uint32_t> keys(n);
  double best = std::numeric_limits<double>::infinity();
  for (int trial = 0; trial < 5; ++trial) {
    std::uint32_t random = 1;
    for (std::uint32_t& key : keys) key = random = random * 1664525U + 1013904223U;  // any LCG will do
    const auto start = RawClock::now();
    sort(std::span<std::uint32_t>{keys});
    best = std::min(best, std::chrono::duration<double>(RawClock::now() - start).count());
  }
  return best;
}

}  // namespace sortlab
