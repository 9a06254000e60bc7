#include "algorithms/common/cuda/dispatch.hpp"

#include <gtest/gtest.h>

#include "core/lsd_digits.hpp"

namespace sortlab {
namespace {

constexpr std::array kCompiled{4, 8, 13};
constexpr std::array kColours{Choice<int>{"red", 1}, Choice<int>{"blue", 2}};

TEST(Dispatch, CallsWhatWasCompiledForTheValue) {
  for (const int value : kCompiled) {
    EXPECT_EQ(dispatch<kCompiled>("items", value, [&]<int items>() { return items; }), value);
  }
}

TEST(Dispatch, ThrowsForAValueOutsideTheTable) {
  try {
    dispatch<kCompiled>("items", 5, []<int items>() {});
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "no code for items=5");
  }
}

TEST(Choice, StandsForAWordOrThrows) {
  EXPECT_EQ(chosen("colour", "blue", kColours), 2);
  EXPECT_THROW(chosen("colour", "green", kColours), std::logic_error);
  EXPECT_EQ(choice_words(kColours), (std::vector<std::string>{"red", "blue"}));
  EXPECT_EQ(listed(kCompiled), "4, 8 or 13");
}

TEST(LsdDigits, TheLastMayBeNarrower) {
  constexpr LsdDigits digits{.key_bits = 32, .digit_bits = 11};
  EXPECT_EQ(digits.passes(), 3);
  EXPECT_EQ(digits.shift(2), 22);
  EXPECT_EQ(digits.bits(0), 11);
  EXPECT_EQ(digits.bits(2), 10);
}

}  // namespace
}  // namespace sortlab
