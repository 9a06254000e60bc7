// Regimes allowed for an input, and the choice of `auto`.
#include <gtest/gtest.h>

#include "algorithms/msd_radix_gpu/plan.hpp"
#include "harness/plan/automatic.hpp"
#include "models/machine_profile.hpp"
#include "tests/support/settings_of_plugin.hpp"

namespace sortlab::msd_gpu {
namespace {

const Algorithm& algorithm() {
  return algorithm_named("msd_radix_gpu");
}
constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 6> kBytes{
    {{4, 0}, {8, 0}, {4, 4}, {8, 8}, {16, 0}, {16, 8}}};

TEST(MsdRadixPlan, EachUsualRegimeBeginsWhereTheOneBeforeEnds) {
  for (const auto& [key, value] : kBytes) {
    const auto usual = [&, key = key, value = value](std::uint64_t n) { return make_plan(n, key, value).regime; };
    EXPECT_EQ(usual(one_block_elements(key, value)), Regime::one_block);
    EXPECT_EQ(usual(one_block_elements(key, value) + 1), Regime::one_level);
    EXPECT_EQ(usual(one_level_elements(key, value)), Regime::one_level);
    EXPECT_EQ(usual(one_level_elements(key, value) + 1), Regime::wide);
    EXPECT_EQ(usual(max_wide_elements(key, value)), Regime::wide);
    EXPECT_EQ(usual(max_wide_elements(key, value) + 1), Regime::partitions);
  }
}

/// A block can sort the buckets of uniform keys.
TEST(MsdRadixPlan, TopBitsAreAsFewAsMakeBuckets) {
  for (const auto& [key, value] : kBytes) {
    for (std::uint64_t n = one_level_elements(key, value) + 1; n < std::uint64_t{1} << 27; n = n * 5 / 4) {
      const Plan plan = make_plan(n, key, value);
      EXPECT_LT(n >> plan.top.bits(), bucket_elements(key, value)) << n;
      EXPECT_LE(plan.top.bits(), kTopBits);
    }
  }
  EXPECT_EQ(make_plan(1 << 26, 8, 0, Regime::partitions, 17).top.first_bits, 9);
  EXPECT_EQ(make_plan(1 << 26, 8, 0, Regime::partitions, 12).top.second_bits, 4);
}

TEST(MsdRadixPlan, KeysOf32BitsAreCountedWhateverTheRegime) {
  EXPECT_TRUE(make_plan(1 << 24, 4, 0, Regime::wide).counts_buckets);
  EXPECT_TRUE(make_plan(1 << 24, 4, 0, Regime::partitions).counts_buckets);
  EXPECT_FALSE(make_plan(1 << 24, 4, 4, Regime::partitions).counts_buckets);
}

TEST(MsdRadixPlan, DeclinesWithWhatIsAllowed) {
  const auto text = [](std::uint64_t n, std::string_view regime, int bits) {
    return declines(n, 4, 0, regime, bits).value_or("");
  };
  EXPECT_EQ(text(1 << 26, "one_level", 0),
            "regime=one_level sorts at most 8380416 elements of these types; allowed: wide, partitions, or auto");
  EXPECT_EQ(text(1000, "wide", 0),
            "regime=wide sorts at least 374400 elements of these types; allowed: one_block, or auto");
  EXPECT_EQ(text(1 << 24, "wide", 12), "top_bits must be 0 or 9 to 10 with regime=wide");
  EXPECT_EQ(text(1 << 20, "one_level", 9), "top_bits must be 0 with regime=one_level");
  EXPECT_EQ(text(1 << 24, "partitions", 17), "");
}

Parameters chosen(const GivenParameters& given, std::uint64_t n, ValueType value = ValueType::none) {
  return resolved(algorithm(), given, {.value = value, .residency = Residency::device, .n = n});
}

TEST(MsdRadixPlan, WithoutAModelAutoIsTheUsualRegime) {
  EXPECT_EQ(chosen({}, 1000).word("regime"), "one_block");
  EXPECT_EQ(chosen({}, 1 << 20).word("regime"), "one_level");
  EXPECT_EQ(chosen({}, 1 << 24).word("regime"), "wide");
  EXPECT_EQ(chosen({}, 1 << 28).word("regime"), "partitions");
  EXPECT_EQ(chosen({}, 1 << 28).integer("top_bits"), 0);
}

/// On the H100 of a kept profile, skewed u32 at 2^24 are partitioned twice: few bits are then left, and the buckets are
/// counted.
TEST(MsdRadixPlan, WithAModelAutoIsWhatItPredictsToBeShortest) {
  if (algorithm().unavailable()) GTEST_SKIP() << *algorithm().unavailable();
  const MachineProfile profile =
      read_profile(SORTLAB_SOURCE_DIR "/results/reference/intel-xeon-emeraldrapids-16c-f8c882fd/gpu2026/profile.json");
  const auto regime = [&](const std::string& distribution) {
    Case c{.algorithm = &algorithm(),
           .parameters = resolve("test", algorithm().info().parameters, {}),
           .n = 1 << 24,
           .distribution = parse_distribution(distribution),
           .residency = Residency::device};
    resolve_automatic(c, &profile);
    return c.parameters.word("regime");
  };
  EXPECT_EQ(regime("uniform"), "wide");
  EXPECT_EQ(regime("thearling:ands=1"), "partitions");
}

TEST(MsdRadixPlan, AutoIsOnlyWhatOtherParametersAllow) {
  EXPECT_EQ(chosen({{"top_bits", "17"}}, 1 << 24).word("regime"), "partitions");
  // The stable mode of pairs has regimes of its own.
  EXPECT_EQ(chosen({{"stable", "yes"}}, 1 << 20, ValueType::u32).word("regime"), "partitions");
  EXPECT_EQ(chosen({{"stable", "yes"}}, 1000, ValueType::u32).word("regime"), "one_block");
  EXPECT_EQ(chosen({{"stable", "yes"}}, 1 << 20).word("regime"), "one_level");
}

TEST(MsdRadixPlan, TopDigitsAreOfASampledRangeUnlessFewKeysAreCounted) {
  EXPECT_TRUE(make_plan(1 << 24, 4, 0, Regime::wide).samples_range);
  EXPECT_FALSE(make_plan(1 << 24, 4, 0, Regime::partitions).samples_range);
  EXPECT_TRUE(make_plan(1 << 24, 4, 4, Regime::partitions).samples_range);
  EXPECT_TRUE(make_plan(1 << 28, 4, 0, Regime::partitions).samples_range);
}

}  // namespace
}  // namespace sortlab::msd_gpu
