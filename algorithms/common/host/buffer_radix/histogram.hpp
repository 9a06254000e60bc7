// Counts the digits of a run of keys, for one pass, or for all passes in one read of the keys.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/common/host/buffer_radix/fast_shifts.hpp"
#include "algorithms/common/host/buffer_radix/keys.hpp"
#include "algorithms/common/host/buffer_radix/plan.hpp"
#include "algorithms/common/host/fetch_ahead.hpp"
#include "core/loop_mark.hpp"
#include "core/stream_lines.hpp"

namespace sortlab::satish {

/// Distance between tables in counters. With 2^digit_bits, equal digits of different tables would be a multiple of 4
/// KiB apart. Processors compare the low 12 bits of addresses first, so each load would wait for the last store (4 KiB
/// aliasing).
constexpr std::size_t table_stride(int digit_bits) {
  return (std::size_t{1} << digit_bits) + 16;
}

/// Counts `tables` digits of each key, the first at bit `shift`. Keys alternate between two sets of tables, since
/// consecutive equal digits would otherwise wait for each other's store (about 5 cycles per key on constant input).
template <KeyKind kind, int tables, class Word>
void count_digits(std::span<const Word> keys, int shift, int digit_bits, std::uint32_t* even, std::uint32_t* odd) {
  const std::uint32_t mask = (std::uint32_t{1} << digit_bits) - 1;
  const std::size_t stride = table_stride(digit_bits);
  const auto add = [=](const Word& key, std::uint32_t* counters) __attribute__((always_inline)) {
    SORTLAB_LOOP("satish.count", 1, sizeof(Word), tables, kind == KeyKind::real);
    // Successive digits come from one running shift. The top digit is narrower if the bits do not divide evenly.
    Word rest = (kind == KeyKind::real ? ordered_from_float(key) : key) >> shift;
    for (int t = 0; t < tables; ++t) {
      ++counters[static_cast<std::uint32_t>(rest) & mask];
      counters += stride;
      if (t + 1 < tables) rest >>= digit_bits;
    }
  };
  with_fast_shifts([=]() __attribute__((always_inline)) {
    constexpr std::size_t line = kLineBytes / sizeof(Word);
    std::size_t i = 0;
    for (; i + line <= keys.size(); i += line) {
      fetch_ahead(keys.data() + i);
#pragma GCC unroll 16
      for (std::size_t j = 0; j < line; j += 2) {
        add(keys[i + j], even);
        add(keys[i + j + 1], odd);
      }
    }
    for (; i < keys.size(); ++i) add(keys[i], i % 2 == 0 ? even : odd);
  });
}

/// Counters of one thread: room for `tables` histograms of 2^digit_bits digits each, twice.
class HistogramCounters {
 public:
  HistogramCounters(std::size_t tables, int digit_bits)
      : digit_bits_(digit_bits), stride_(table_stride(digit_bits)), counts_(2 * tables * stride_) {}

  /// Sets counts[t * 2^digit_bits + d] to the number of keys with digit d at bit shift + t * digit_bits, for t <
  /// tables. real: the keys are floats, counted by their ordered words.
  template <KeyKind kind, class Word>
  void count(std::span<const Word> keys, int shift, std::size_t tables, std::uint64_t* counts) {
    const std::size_t radix = std::size_t{1} << digit_bits_;
    const std::size_t size = tables * stride_;
    std::fill_n(counts, tables * radix, 0);
    // 32-bit counters need half the cache of wider ones, and no run is long enough to overflow them.
    constexpr std::size_t longest = std::size_t{1} << 31;
    for (std::size_t first = 0; first < keys.size(); first += longest) {
      std::fill_n(counts_.begin(), 2 * size, 0);
      count_run<kind>(keys.subspan(first, std::min(longest, keys.size() - first)), shift, tables);
      for (std::size_t table = 0; table < tables; ++table) {
        const std::uint32_t* const even = counts_.data() + table * stride_;
        const std::uint32_t* const odd = even + size;
        for (std::size_t d = 0; d < radix; ++d) counts[table * radix + d] += std::uint64_t{even[d]} + odd[d];
      }
    }
  }

 private:
  template <KeyKind kind, class Word>
  void count_run(std::span<const Word> keys, int shift, std::size_t tables) {
    // Four tables per sweep, whose loop is unrolled. The later sweeps of a block find its keys in the L1 cache.
    const std::size_t block = tables <= kTablesASweep ? keys.size() : 2048;
    for (std::size_t first = 0; first < keys.size(); first += block) {
      const auto some = keys.subspan(first, std::min(block, keys.size() - first));
      for (std::size_t table = 0; table < tables; table += kTablesASweep) {
        std::uint32_t* const even = counts_.data() + table * stride_;
        std::uint32_t* const odd = even + tables * stride_;
        const int from = shift + static_cast<int>(table) * digit_bits_;
        switch (tables - table) {
          case 1: count_digits<kind, 1>(some, from, digit_bits_, even, odd); break;
          case 2: count_digits<kind, 2>(some, from, digit_bits_, even, odd); break;
          case 3: count_digits<kind, 3>(some, from, digit_bits_, even, odd); break;
          default: count_digits<kind, 4>(some, from, digit_bits_, even, odd); break;
        }
      }
    }
  }

  int digit_bits_;
  std::size_t stride_;  ///< distance between tables
  std::vector<std::uint32_t> counts_;
};

}  // namespace sortlab::satish
