#include "harness/measure/stopping_rule.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sortlab {
namespace {

std::vector<TimedSample> steady(std::size_t count) {
  return std::vector<TimedSample>(count, {.seconds = 1});
}

std::vector<TimedSample> scattered(std::size_t count) {
  std::vector<TimedSample> samples(count);
  for (std::size_t i = 0; i < count; ++i) samples[i].seconds = i % 2 == 0 ? 1.0 : 2.0;
  return samples;
}

using Places = std::vector<std::size_t>;

TEST(StoppingRule, StopsAtANarrowInterval) {
  const Protocol protocol;
  EXPECT_FALSE(why_stop(protocol, steady(8), 0.1));
  EXPECT_EQ(why_stop(protocol, steady(9), 0.1), StopReason::interval);
  EXPECT_FALSE(why_stop(protocol, scattered(9), 0.1));
}

TEST(StoppingRule, StopsAtTheBudgetButNeverWithoutASample) {
  const Protocol protocol{.budget_s = 1};
  EXPECT_FALSE(why_stop(protocol, {}, 5));
  EXPECT_EQ(why_stop(protocol, steady(1), 1.5), StopReason::budget);
  EXPECT_EQ(why_stop(protocol, scattered(40), 1.5), StopReason::budget);
}

TEST(StoppingRule, StopsAtTheMostSamples) {
  const Protocol protocol{.max_samples = 20, .budget_s = 100};
  EXPECT_FALSE(why_stop(protocol, scattered(19), 1));
  EXPECT_EQ(why_stop(protocol, scattered(20), 1), StopReason::samples);
}

TEST(StoppingRule, AnExactCountOverridesIntervalAndBudget) {
  const Protocol protocol{.budget_s = 0.1, .samples = 12};
  EXPECT_FALSE(why_stop(protocol, steady(11), 50));
  EXPECT_EQ(why_stop(protocol, steady(12), 50), StopReason::samples);
}

// Five equal samples have an interval of no width, yet it does not cover 95 %.
TEST(StoppingRule, FewSamplesAreNoInterval) {
  const Protocol protocol{.min_samples = 1};
  EXPECT_FALSE(why_stop(protocol, steady(5), 0.1));
  EXPECT_EQ(why_stop(protocol, steady(6), 0.1), StopReason::interval);
}

TEST(SamplesThatCount, AreTheUndisturbedOnesIfTheyAreAtLeastHalf) {
  const std::vector<TimedSample> half{{1, 1}, {2, 0.5}, {1, 0.95}, {2, 0.7}};
  EXPECT_EQ(samples_that_count({}, half), (Places{0, 2}));
  const std::vector<TimedSample> fewer{{1, 1}, {2, 0.5}, {2, 0.7}};
  EXPECT_EQ(samples_that_count({}, fewer), (Places{0, 1, 2}));
}

// A slow sample on a free core counts, a fast one on a shared core does not.
TEST(SamplesThatCount, AreNotChosenByTheirTimes) {
  const std::vector<TimedSample> samples{{9, 1}, {1, 0.5}, {8, 1}};
  EXPECT_EQ(samples_that_count({}, samples), (Places{0, 2}));
}

TEST(SamplesThatCount, AreExactlyAsManyAsAskedFor) {
  const std::vector<TimedSample> samples{{1, 0.6}, {1, 1}, {1, 0.8}, {1, 0.95}, {1, 0.5}, {1, 1}};
  EXPECT_EQ(samples_that_count({.samples = 2}, samples), (Places{1, 3}));
  EXPECT_EQ(samples_that_count({.samples = 4}, samples), (Places{1, 2, 3, 5}));
}

TEST(StoppingRule, AnExactCountWaitsForUndisturbedSamplesButNotForEver) {
  const Protocol protocol{.samples = 3};
  std::vector<TimedSample> samples{{1, 1}, {1, 0.5}, {1, 1}};
  EXPECT_FALSE(why_stop(protocol, samples, 1));
  samples.push_back({1, 1});
  EXPECT_EQ(why_stop(protocol, samples, 1), StopReason::samples);
  EXPECT_EQ(why_stop(protocol, std::vector<TimedSample>(6, {1, 0.5}), 1), StopReason::samples);
}

}  // namespace
}  // namespace sortlab
