#include "core/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

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

// From tables of Student's t: two-sided 95 % with 2, 8 and 30 degrees of freedom, 99 % with 5.
TEST(Statistics, QuantilesOfStudentsT) {
  EXPECT_NEAR(student_t(0.95, 2), 4.303, 5e-4);
  EXPECT_NEAR(student_t(0.95, 8), 2.306, 5e-4);
  EXPECT_NEAR(student_t(0.95, 30), 2.042, 5e-4);
  EXPECT_NEAR(student_t(0.99, 5), 4.032, 5e-4);
}

// Variances drawn from a scaled inverse chi-square distribution with 6 degrees of freedom around 4, each estimated
// with 3.
TEST(Statistics, APriorOfVariancesIsFound) {
  std::mt19937_64 random{3};
  std::vector<Variance> estimates(20000);
  for (Variance& estimate : estimates) {
    const double truth = 4 * 6 / std::chi_squared_distribution<double>{6}(random);
    estimate = {truth * std::chi_squared_distribution<double>{3}(random) / 3, 3};
  }
  const Variance prior = fit_prior(estimates);
  EXPECT_NEAR(prior.value, 4, 0.15);
  EXPECT_NEAR(prior.degrees_of_freedom, 6, 0.6);
  const Variance one = moderated({10, 3}, {4, 6});
  EXPECT_EQ(one.value, 6);
  EXPECT_EQ(one.degrees_of_freedom, 9);
  // Estimates that scatter no more than their degrees of freedom explain are of one variance.
  for (Variance& estimate : estimates) {
    estimate.value = 4 * std::chi_squared_distribution<double>{3}(random) / 3;
  }
  EXPECT_GT(fit_prior(estimates).degrees_of_freedom, 50);
  EXPECT_EQ(fit_prior(std::vector<Variance>{{1, 2}}).degrees_of_freedom, 0);
}

// Medians of the processes: e^0, e^0.1, e^0.2; deviation 0.1, so 4.3027 * 0.1 / sqrt(3) on the logarithmic scale.
TEST(Statistics, IntervalOfARunIsThatOfItsProcesses) {
  const double a = 1;
  const double b = std::exp(0.1);
  const double c = std::exp(0.2);
  const auto scattered = [&](double below, double above) {
    return std::vector{a, b, c, below * a, below * b, below * c, above * a, above * b, above * c};
  };
  const std::vector samples = scattered(0.999, 1.001);
  const std::vector processes{4, 7, 9, 4, 7, 9, 4, 7, 9};
  const ProcessScatter scatter = process_scatter(samples, processes);
  EXPECT_EQ(scatter.processes, 3);
  EXPECT_NEAR(scatter.log_mean, 0.1, 1e-12);
  EXPECT_NEAR(scatter.log_variance, 0.01, 1e-12);
  const MedianInterval interval = run_interval(samples, processes);
  EXPECT_NEAR(interval.median, b, 1e-12);
  EXPECT_NEAR(std::log(interval.upper / interval.median), 0.24841, 1e-5);
  EXPECT_NEAR(std::log(interval.median / interval.lower), 0.24841, 1e-5);
  // Logarithms -0.10536, 0, 0.40547 in each process: variance 0.072742, of the median pi / 2 / 3 of it, so
  // 2.4469 * sqrt(0.038087 / 3).
  const MedianInterval wide = run_interval(scattered(0.9, 1.5), processes);
  EXPECT_NEAR(std::log(wide.upper) - 0.1, 0.27571, 1e-5);
  const MedianInterval one = run_interval(samples, std::vector(9, 4));
  EXPECT_EQ(one.lower, median_interval(samples).lower);
  EXPECT_EQ(one.upper, median_interval(samples).upper);
}

/// Logarithms of the times that one process takes, in order.
using Process = std::function<std::vector<double>(std::mt19937_64&)>;

/// Five samples scattered by 0.5 % around a level of the process's own, which scatters by 2 %.
std::vector<double> around(double level, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> samples;
  for (int i = 0; i < 5; ++i) samples.push_back(level + 0.005 * normal(random));
  return samples;
}

/// Share of runs of `processes` whose interval holds the long run's median, whose logarithm is 0.
double covered_share(const Process& process, int processes) {
  std::mt19937_64 random{7};
  constexpr int trials = 4000;
  int covered = 0;
  for (int trial = 0; trial < trials; ++trial) {
    std::vector<double> samples;
    std::vector<int> numbers;
    for (int p = 0; p < processes; ++p) {
      for (const double sample : process(random)) {
        samples.push_back(std::exp(sample));
        numbers.push_back(p);
      }
    }
    const MedianInterval interval = run_interval(samples, numbers);
    covered += interval.lower <= 1 && 1 <= interval.upper ? 1 : 0;
  }
  return covered / static_cast<double>(trials);
}

// Levels of processes that are normal, drift within the process, keep their neighbours' deviation, have heavy tails
// (Student's t with 3 degrees of freedom), or have two modes, 4 % apart and equally frequent, of which three processes
// see only one in a quarter of the runs.
TEST(Statistics, IntervalOfARunCoversTheLongRunsMedian) {
  const auto level = [](auto& random) { return 0.02 * std::normal_distribution<double>{}(random); };
  const std::map<std::string, Process> processes{
      {"normal", [&](auto& random) { return around(level(random), random); }},
      {"drifting",
       [&](auto& random) {
         std::vector<double> samples = around(level(random), random);
         const double slope = level(random);
         for (std::size_t i = 0; i < samples.size(); ++i) samples[i] += slope * (static_cast<double>(i) - 2) / 4;
         return samples;
       }},
      {"correlated",
       [&](auto& random) {
         std::vector<double> samples = around(0, random);
         double deviation = level(random);
         for (double& sample : samples) {
           deviation = 0.7 * deviation + 0.7 * level(random);
           sample += deviation;
         }
         return samples;
       }},
      {"heavy-tailed",
       [](auto& random) { return around(0.02 * std::student_t_distribution<double>{3}(random), random); }},
      {"bimodal", [](auto& random) { return around(random() % 2 == 0 ? 0.02 : -0.02, random); }}};
  for (const auto& [name, process] : processes) {
    for (const int count : {3, 6, 9}) {
      const double coverage = covered_share(process, count);
      EXPECT_GE(coverage, name == "bimodal" && count == 3 ? 0.74 : 0.94) << name << ", " << count << " processes";
    }
  }
}

}  // namespace
}  // namespace sortlab
