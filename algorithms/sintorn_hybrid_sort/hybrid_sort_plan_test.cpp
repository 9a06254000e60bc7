// Checks the host's part: the division points, and the capacity of a division.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "algorithms/sintorn_hybrid_sort/plan.hpp"

namespace sortlab::hybrid_sort {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(HybridSortPlan, UniformKeysAreDividedEvenly) {
  const std::vector<std::uint32_t> histogram(kBins, 100);
  const auto points = division_points(histogram.data(), std::uint64_t{100} * kBins, 0, 1024);
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_NEAR(points[i], static_cast<double>(i + 1), 1e-3) << i;
}

TEST(HybridSortPlan, PointsLieInsideAFullBin) {
  std::vector<std::uint32_t> histogram(kBins, 0);
  histogram[512] = 1 << 20;
  const auto points = division_points(histogram.data(), 1 << 20, 0, 1024);
  EXPECT_TRUE(std::ranges::is_sorted(points));
  EXPECT_NEAR(points.front(), 512 + 1.0 / 1024, 1e-3);
  EXPECT_NEAR(points.back(), 513, 2e-3);
}

TEST(HybridSortPlan, PointsAscendWhateverTheRange) {
  std::vector<std::uint32_t> histogram(kBins, 0);
  histogram[0] = 7;
  histogram[1023] = 3;
  for (const auto& [low, high] : std::vector<std::pair<float, float>>{
           {-kInfinity, kInfinity}, {0, std::numeric_limits<float>::denorm_min()}, {-1, 1}, {1, kInfinity}}) {
    const auto points = division_points(histogram.data(), 10, low, high);
    EXPECT_TRUE(std::ranges::is_sorted(points)) << low << " to " << high;
  }
}

TEST(HybridSortPlan, EveryKeyHasABin) {
  for (const auto& [low, high] :
       std::vector<std::pair<float, float>>{{-kInfinity, kInfinity}, {-3, 5}, {0, 1e-45f}, {-3e38f, 3e38f}}) {
    const Binning bin = binning(low, high);
    EXPECT_EQ(bin(low), 0U);
    EXPECT_EQ(bin(high), kBins - 1) << low << " to " << high;
  }
}

TEST(HybridSortPlan, ADivisionHoldsWhatAGridOf2009CouldMerge) {
  EXPECT_EQ(capacity(1 << 20, 8), 106'488U);
  EXPECT_EQ(capacity(std::uint64_t{1} << 28, 8), std::uint64_t{8} << 18);
  EXPECT_EQ(levels(1), 0);
  EXPECT_EQ(levels(2), 1);
  EXPECT_EQ(levels(5), 3);
}

}  // namespace
}  // namespace sortlab::hybrid_sort
