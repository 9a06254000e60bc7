#include "harness/run/duration.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/bad_input.hpp"

namespace sortlab {
namespace {

TEST(Duration, IsReadWithItsUnit) {
  EXPECT_EQ(parse_duration("90", "budget"), 90);
  EXPECT_EQ(parse_duration("90s", "budget"), 90);
  EXPECT_EQ(parse_duration("1.5h", "budget"), 5400);
  for (const char* text : {"", "s", "0", "-1", "1d", "nan", "1e9", "5 m"}) {
    EXPECT_THROW(parse_duration(text, "budget"), BadInput) << text;
  }
}

TEST(Duration, HasThreeDigitsInTheUnitThatSuits) {
  EXPECT_EQ(duration_text(2.5e-9), "2.5 ns");
  EXPECT_EQ(duration_text(999.4e-9), "999 ns");
  EXPECT_EQ(duration_text(999.7e-9), "1 us");
  EXPECT_EQ(duration_text(999.7e-6), "1 ms");
  EXPECT_EQ(duration_text(0.9997), "1 s");
  EXPECT_EQ(duration_text(59.44), "59.4 s");
  EXPECT_EQ(duration_text(61), "1 min 1 s");
  EXPECT_EQ(duration_text(3 * 3600 + 120), "3 h 2 min");
}

TEST(Duration, OfAnEndThatNothingBoundsIsInSeconds) {
  EXPECT_EQ(duration_text(6.9e12), "6.9e+12 s");
  EXPECT_EQ(duration_text(1e300), "1e+300 s");
  EXPECT_EQ(duration_text(std::numeric_limits<double>::infinity()), "inf s");
}

}  // namespace
}  // namespace sortlab
