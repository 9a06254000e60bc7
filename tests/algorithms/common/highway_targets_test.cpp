// Names of Highway's instruction sets, and the choice of one.
#include "algorithms/common/host/highway_targets.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

namespace sortlab {
namespace {

constexpr std::int64_t kNowhere = std::int64_t{1} << 40;  // a bit that no processor has

TEST(HighwayTargets, AreNamedTheWidestFirst) {
  const auto targets = HighwayTargets::by_name(HWY_TARGETS);
  const std::vector<std::string> words = targets.words();
  ASSERT_FALSE(words.empty());
  for (std::size_t i = 1; i < words.size(); ++i)
    EXPECT_LT(targets.target_bit(words[i - 1]), targets.target_bit(words[i]));
  EXPECT_EQ(hwy::TargetName(targets.target_bit(words[0])), words[0]);
  EXPECT_TRUE(targets.runs_here(targets.widest()));
}

TEST(HighwayTargets, WidthsEndInWhatEveryProcessorRuns) {
  const auto none = HighwayTargets::by_width(0, {"scalar", 0});
  EXPECT_EQ(none.words(), (std::vector<std::string>{"avx512", "avx2", "sse4", "scalar"}));
  EXPECT_EQ(none.widest(), "scalar");
  EXPECT_EQ(none.lacking("avx2"), "this build lacks avx2");
  EXPECT_FALSE(none.lacking("scalar"));
  EXPECT_EQ(HighwayTargets::by_name(kNowhere).widest(), "");
}

TEST(HighwayTargets, AnUnknownWordIsAnError) {
  EXPECT_THROW(HighwayTargets::by_name(HWY_TARGETS).target_bit("MMX"), std::invalid_argument);
  EXPECT_THROW((void)HighwayTargets::by_name(HWY_TARGETS).lacking("MMX"), std::invalid_argument);
}

TEST(HighwayTargets, TheFastestMustBeatTheWidestByAMargin) {
  const auto targets = HighwayTargets::by_name(HWY_TARGETS);
  const std::string widest = targets.widest();
  const std::int64_t widest_bit = targets.target_bit(widest);
  const auto widest_takes = [&](double seconds) {
    return targets.fastest([&](std::int64_t bit) { return bit == widest_bit ? seconds : 1.0; });
  };
  EXPECT_EQ(widest_takes(1.4), widest);
  if (widest == targets.words().back()) GTEST_SKIP() << "only " << widest << " runs here";
  EXPECT_NE(widest_takes(1.6), widest);
}

}  // namespace
}  // namespace sortlab
