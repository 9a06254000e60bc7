#include "harness/stopping_rule.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace sortlab {
namespace {

std::vector<double> steady(std::size_t count) {
  return std::vector<double>(count, 1.0);
}

std::vector<double> scattered(std::size_t count) {
  std::vector<double> samples(count);
  for (std::size_t i = 0; i < count; ++i) samples[i] = i % 2 == 0 ? 1.0 : 2.0;
  return samples;
}

TEST(StoppingRule, StopsAtANarrowInterval) {
  const Protocol protocol;
  EXPECT_FALSE(why_stop(protocol, steady(8), 0.1));
  EXPECT_EQ(why_stop(protocol, steady(9), 0.1), "interval");
  EXPECT_FALSE(why_stop(protocol, scattered(9), 0.1));
}

TEST(StoppingRule, StopsAtTheBudgetButNeverWithoutASample) {
  const Protocol protocol{.budget_s = 1};
  EXPECT_FALSE(why_stop(protocol, {}, 5));
  EXPECT_EQ(why_stop(protocol, steady(1), 1.5), "budget");
  EXPECT_EQ(why_stop(protocol, scattered(40), 1.5), "budget");
}

TEST(StoppingRule, StopsAtTheMostSamples) {
  const Protocol protocol{.max_samples = 20, .budget_s = 100};
  EXPECT_FALSE(why_stop(protocol, scattered(19), 1));
  EXPECT_EQ(why_stop(protocol, scattered(20), 1), "samples");
}

TEST(StoppingRule, AnExactCountOverridesIntervalAndBudget) {
  const Protocol protocol{.budget_s = 0.1, .samples = 12};
  EXPECT_FALSE(why_stop(protocol, steady(11), 50));
  EXPECT_EQ(why_stop(protocol, steady(12), 50), "samples");
}

// Five equal samples have an interval of no width, yet it does not cover 95 %.
TEST(StoppingRule, FewSamplesAreNoInterval) {
  const Protocol protocol{.min_samples = 1};
  EXPECT_FALSE(why_stop(protocol, steady(5), 0.1));
  EXPECT_EQ(why_stop(protocol, steady(6), 0.1), "interval");
}

}  // namespace
}  // namespace sortlab
