// The loops that calibration times alone: counting digits and appending to buffers.
#include <gtest/gtest.h>

#include <numeric>
#include <span>
#include <vector>

#include "algorithms/common/host/buffer_radix/append.hpp"
#include "algorithms/common/host/buffer_radix/histogram.hpp"
#include "algorithms/common/host/made_words.hpp"

namespace sortlab::satish {
namespace {

using calibration::fill_uniform;

TEST(Counting, CountsEveryWordInEveryTable) {
  std::vector<std::uint64_t> words(1000);
  fill_uniform({reinterpret_cast<std::uint32_t*>(words.data()), 2 * words.size()}, 3);
  std::vector<std::uint32_t> even(4 * table_stride(8));
  std::vector<std::uint32_t> odd(4 * table_stride(8));
  count_digits<KeyKind::integer, 4>(std::span<const std::uint64_t>{words}, 0, 8, even.data(), odd.data());
  for (int table = 0; table < 4; ++table) {
    const auto sum = [&](const auto& counters) {
      const auto first = counters.begin() + table * static_cast<std::ptrdiff_t>(table_stride(8));
      return std::accumulate(first, first + 256, 0U);
    };
    EXPECT_EQ(sum(even), 500U);
    EXPECT_EQ(sum(odd), 500U);
  }
}

TEST(Append, WritesOutEachFullBufferWithItsWordsAndValuesAndCountsAnotherDigit) {
  std::vector<std::uint32_t> words(4096);
  fill_uniform(words, 5);
  std::vector<std::uint64_t> values(words.begin(), words.end());
  constexpr std::size_t slots = 16;
  std::vector<std::uint32_t> word_slots(8 * slots);
  std::vector<std::uint64_t> value_slots(8 * slots);
  // With and without prefetching of lines, depending on `radix`.
  for (const std::size_t radix : {8, 1024}) {
    std::vector<Cursor> cursors(8);
    for (std::size_t d = 0; d < 8; ++d) {
      cursors[d] = {.slot = static_cast<std::uint32_t>(d * slots), .counters = static_cast<std::uint32_t>(4 * (d % 2))};
    }
    std::vector<std::uint32_t> counters(8);
    const CountDigit<std::uint32_t> count{.counters = counters.data(), .shift = 3, .mask = 3};
    std::size_t written = 0;
    const DigitBuffers<std::uint32_t, std::uint64_t> buffers{word_slots.data(), value_slots.data(), cursors.data(),
                                                             radix, slots};
    append<false, false>(buffers, std::span<const std::uint32_t>{words}, values.data(),
                         Digit<std::uint32_t>{.shift = 0, .bits = 3}, count, [&](std::uint32_t digit) {
                           for (std::size_t i = digit * slots; i < (digit + 1) * slots; ++i) {
                             EXPECT_EQ(word_slots[i] & 7, digit);
                             EXPECT_EQ(value_slots[i], word_slots[i]);
                           }
                           written += slots;
                         });
    for (std::size_t d = 0; d < 8; ++d) written += cursors[d].slot - d * slots;
    EXPECT_EQ(written, words.size());
    // Counts of the bits above the digit, for odd and for even digits.
    std::vector<std::uint32_t> counted(8);
    for (const std::uint32_t word : words) ++counted[4 * (word % 2) + (word >> 3 & 3)];
    EXPECT_EQ(counters, counted);
  }
}

}  // namespace
}  // namespace sortlab::satish
