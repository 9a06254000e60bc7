#include "core/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sortlab {
namespace {

TEST(Statistics, MedianAndQuantiles) {
  EXPECT_EQ(median(std::vector{3.0, 1.0, 2.0}), 2.0);
  EXPECT_EQ(median(std::vector{4.0, 1.0, 2.0, 3.0}), 2.5);
  EXPECT_EQ(mean(std::vector{1.0, 2.0, 6.0}), 3.0);
  const std::vector ten{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0};
  EXPECT_EQ(quantile(ten, 0.25), 3.0);
  EXPECT_EQ(quantile(ten, 0.95), 10.0);
  EXPECT_EQ(quantile(ten, 0.001), 1.0);
}

// Ranks from the table of binomial confidence intervals of a median: n = 9 gives [2, 8] with 1 - 2 * 10/512, n = 15
// gives [4, 12] with 1 - 2 * 576/32768, n = 25 gives [8, 18] with 95.7 %.
TEST(Statistics, IntervalOfTheMedianIsExact) {
  const auto ranks = [](std::size_t n) {
    std::vector<double> samples(n);
    for (std::size_t i = 0; i < n; ++i) samples[i] = static_cast<double>((i * 7) % n + 1);  // 7 and n: no common factor
    return median_interval(samples);
  };
  const MedianInterval nine = ranks(9);
  EXPECT_EQ(nine.lower, 2);
  EXPECT_EQ(nine.upper, 8);
  EXPECT_NEAR(nine.coverage, 1 - 20.0 / 512, 1e-12);
  const MedianInterval fifteen = ranks(15);
  EXPECT_EQ(fifteen.lower, 4);
  EXPECT_EQ(fifteen.upper, 12);
  EXPECT_NEAR(fifteen.coverage, 1 - 2 * 576.0 / 32768, 1e-12);
  const MedianInterval twenty_five = ranks(25);
  EXPECT_EQ(twenty_five.lower, 8);
  EXPECT_EQ(twenty_five.upper, 18);
  EXPECT_NEAR(twenty_five.coverage, 0.9567, 1e-4);
}

TEST(Statistics, FewSamplesGiveTheirRangeAndSayWhatItIsWorth) {
  const MedianInterval five = median_interval(std::vector{5.0, 1.0, 4.0, 2.0, 3.0});
  EXPECT_EQ(five.lower, 1);
  EXPECT_EQ(five.upper, 5);
  EXPECT_NEAR(five.coverage, 0.9375, 1e-12);
  const MedianInterval one = median_interval(std::vector{5.0});
  EXPECT_EQ(one.lower, 5);
  EXPECT_EQ(one.upper, 5);
  EXPECT_EQ(one.coverage, 0);
}

TEST(Statistics, IntervalCoversTheTrueMedianAsOftenAsItSays) {
  std::mt19937_64 random{1};
  std::exponential_distribution<double> times{1.0};  // skewed, as times are; its median is ln 2
  int covered = 0;
  constexpr int trials = 4000;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> samples(15);
    std::ranges::generate(samples, [&] { return times(random); });
    const MedianInterval interval = median_interval(samples);
    covered += interval.lower <= 0.6931471805599453 && 0.6931471805599453 <= interval.upper ? 1 : 0;
  }
  EXPECT_NEAR(covered / static_cast<double>(trials), 0.9648, 0.012);
}

}  // namespace
}  // namespace sortlab
