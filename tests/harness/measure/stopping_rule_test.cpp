#include "harness/measure/stopping_rule.hpp"

#include <gtest/gtest.h>

#include <optional>
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

/// The reason to stop after `turns` turns of equally many of these samples.
std::optional<StopReason> stop_after(const Protocol& protocol, int turns, const std::vector<TimedSample>& samples,
                                     double spent_s) {
  std::vector<double> seconds;
  std::vector<int> processes;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    seconds.push_back(samples[i].seconds);
    processes.push_back(static_cast<int>(i * static_cast<std::size_t>(turns) / samples.size()));
  }
  return why_stop(protocol, turns, {seconds, processes}, samples.size(), spent_s);
}

TEST(StoppingRule, StopsAtANarrowInterval) {
  const Protocol protocol;
  EXPECT_FALSE(stop_after(protocol, 3, steady(8), 0.1));
  EXPECT_FALSE(stop_after(protocol, 2, steady(9), 0.1));
  EXPECT_EQ(stop_after(protocol, 3, steady(9), 0.1), StopReason::interval);
}

// Each process's samples are alike, and the processes are not: a hundred samples of each would not narrow the interval.
TEST(StoppingRule, ProcessesThatDifferAreFollowedByMore) {
  std::vector<TimedSample> samples = steady(9);
  for (std::size_t i = 6; i < samples.size(); ++i) samples[i].seconds = 1.5;
  EXPECT_FALSE(stop_after({}, 3, samples, 0.1));
  EXPECT_EQ(stop_after({.processes = 1}, 3, samples, 0.1), StopReason::processes);
  EXPECT_EQ(stop_after({.budget_s = 1}, 3, samples, 1), StopReason::budget);
}

TEST(StoppingRule, StopsAtTheBudgetButNeverBeforeTheLeastProcesses) {
  const Protocol protocol{.budget_s = 1};
  EXPECT_FALSE(stop_after(protocol, 2, steady(2), 50));
  EXPECT_EQ(stop_after(protocol, 3, steady(3), 1.5), StopReason::budget);
  EXPECT_EQ(stop_after(protocol, 3, scattered(40), 1.5), StopReason::budget);
}

TEST(StoppingRule, StopsAtTheMostSamples) {
  const Protocol protocol{.max_samples = 20, .budget_s = 100};
  EXPECT_FALSE(stop_after(protocol, 4, scattered(19), 1));
  EXPECT_EQ(stop_after(protocol, 4, scattered(20), 1), StopReason::samples);
}

TEST(StoppingRule, AnExactCountOverridesIntervalAndBudget) {
  const Protocol protocol{.budget_s = 0.1, .samples = 2};
  EXPECT_FALSE(stop_after(protocol, 1, steady(1), 50));
  EXPECT_EQ(stop_after(protocol, 2, steady(2), 50), StopReason::samples);
}

TEST(Turns, TakeTheirShareOfTheSamples) {
  const Protocol protocol{.budget_s = 100};
  EXPECT_FALSE(is_turn_over(protocol, {0, 0}, steady(2), 0.1));
  EXPECT_TRUE(is_turn_over(protocol, {0, 0}, steady(3), 0.1));
  EXPECT_FALSE(is_turn_over(protocol, {1, 3}, steady(5), 0.1));
  EXPECT_TRUE(is_turn_over(protocol, {1, 3}, steady(6), 0.1));
  EXPECT_TRUE(is_turn_over(protocol, {7, 30}, steady(33), 0.1));
  EXPECT_FALSE(is_turn_over(protocol, {0, 0}, scattered(33), 0.1));
  EXPECT_TRUE(is_turn_over(protocol, {0, 0}, scattered(34), 0.1));  // a third of max_samples
}

TEST(Turns, TakeTheirShareOfTheBudgetButAtLeastASample) {
  const Protocol protocol{.budget_s = 3};
  EXPECT_FALSE(is_turn_over(protocol, {0, 0}, {}, 50));
  EXPECT_FALSE(is_turn_over(protocol, {0, 0}, steady(1), 0.9));
  EXPECT_TRUE(is_turn_over(protocol, {0, 0}, steady(1), 1));
  EXPECT_FALSE(is_turn_over(protocol, {1, 1}, steady(1), 50));
}

TEST(Turns, TakeExactCountsAndWaitForUndisturbedSamplesButNotForEver) {
  const Protocol protocol{.processes = 2, .samples = 6};
  std::vector<TimedSample> samples{{1, 1}, {1, 0.5}, {1, 1}};
  EXPECT_FALSE(is_turn_over(protocol, {0, 0}, samples, 50));
  samples.push_back({1, 1});
  EXPECT_TRUE(is_turn_over(protocol, {0, 0}, samples, 50));
  EXPECT_TRUE(is_turn_over(protocol, {0, 0}, std::vector<TimedSample>(6, {1, 0.5}), 50));
  EXPECT_FALSE(is_turn_over(protocol, {1, 3}, steady(5), 50));
  EXPECT_TRUE(is_turn_over(protocol, {1, 3}, steady(6), 50));
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

}  // namespace
}  // namespace sortlab
