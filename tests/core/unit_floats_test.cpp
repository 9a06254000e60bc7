// The mapping of floats to [0.5, 1) of Ha et al. 2010, section 3.3, and the patterns of its Figure 4.
#include "core/unit_floats.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace sortlab {
namespace {

// Figure 4 prints fractions of 25, 23 and 28 digits. These are the right 23 digits of a binary32.
constexpr std::uint32_t kHalf = 0x3F000000;
constexpr std::uint32_t kSevenTenths = 0x3F333333;
constexpr std::uint32_t kLast = 0x3F7FFFFF;

TEST(UnitFloats, PatternsOfFigure4) {
  EXPECT_EQ(std::bit_cast<std::uint32_t>(0.5F), kHalf);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(0.7F), kSevenTenths);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(0.99999997F), kLast);
  // Keys that are in the range already keep their bits.
  const UnitFloats same = UnitFloats::of(0.5F, 0.99999997F);
  EXPECT_EQ(same(0.5F), kHalf);
  EXPECT_EQ(same(0.7F), kSevenTenths);
  EXPECT_EQ(same(0.99999997F), kLast);
  // Other keys are mapped: 0.4 in [0, 1] has the place of 0.7 in [0.5, 1).
  const UnitFloats unit = UnitFloats::of(0, 1);
  EXPECT_EQ(unit(0), kHalf);
  EXPECT_EQ(unit(0.4F), kSevenTenths);
  EXPECT_EQ(unit(1), kLast);
}

TEST(UnitFloats, AscendWithTheKeysAndDifferIn23Bits) {
  using Limits = std::numeric_limits<float>;
  const std::pair<float, float> ranges[] = {{0, 1},
                                            {-1, 1},
                                            {3, 3},
                                            {-5, -4.5F},
                                            {0, Limits::denorm_min()},
                                            {-Limits::denorm_min(), Limits::min()},
                                            {1e-38F, 1e-37F},
                                            {Limits::lowest(), Limits::max()},
                                            {-1, Limits::max()},
                                            {16777216, 16777220}};
  std::mt19937 random{1};
  for (const auto& [smallest, largest] : ranges) {
    const UnitFloats map = UnitFloats::of(smallest, largest);
    std::vector<float> keys{smallest, largest};
    std::uniform_real_distribution<double> between{smallest, largest};
    for (int i = 0; i < 1000; ++i) {
      keys.push_back(std::clamp(static_cast<float>(between(random)), smallest, largest));
      keys.push_back(std::clamp(std::nextafter(keys.back(), largest), smallest, largest));
    }
    std::ranges::sort(keys);
    std::uint32_t before = 0;
    for (const float key : keys) {
      const std::uint32_t mapped = map(key);
      EXPECT_LE(before, mapped) << key << " in " << smallest << " to " << largest;
      EXPECT_EQ(mapped >> UnitFloats::kBits, kHalf >> UnitFloats::kBits) << key;
      before = mapped;
    }
    EXPECT_EQ(map(smallest), kHalf);
    if (largest > smallest) {
      EXPECT_EQ(map(largest), kLast) << smallest << " to " << largest;
    }
  }
}

TEST(UnitFloats, OfAnInfiniteRangeAreAllTheSame) {
  const float infinity = std::numeric_limits<float>::infinity();
  const UnitFloats map = UnitFloats::of(-infinity, infinity);
  for (const float key : {-infinity, -1.0F, 0.0F, 3e38F, infinity}) EXPECT_EQ(map(key), kHalf) << key;
}

}  // namespace
}  // namespace sortlab
