// Checks that digits cover keys, that every setting the parameters allow has kernels that fit or is declined with a
// reason, and that the presets have kernels.
#include <gtest/gtest.h>

#include "algorithms/multisplit_radix/plan.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::multisplit {
namespace {

const Algorithm& algorithm() {
  return algorithm_named("multisplit_radix");
}

const Parameter& declared(std::string_view name) {
  return *std::ranges::find(algorithm().info().parameters, name, &Parameter::name);
}

/// Calls `f(number)` for each value in the range of a parameter.
template <class F>
void each(std::string_view name, const F& f) {
  const auto [smallest, largest] = declared(name).range;
  for (auto number = static_cast<int>(smallest); number <= static_cast<int>(largest); ++number) f(number);
}

TEST(MultisplitPlan, DigitsCoverAKeyFromItsLowestBitOn) {
  for (const int key_bits : {32, 64}) {
    each("digit_bits", [&](int digit_bits) {
      const Digits digits{.key_bits = key_bits, .digit_bits = digit_bits};
      int next = 0;
      for (int pass = 0; pass < digits.passes(); ++pass) {
        EXPECT_EQ(digits.shift(pass), next);
        EXPECT_GE(digits.bits(pass), 1);
        EXPECT_LE(digits.bits(pass), digit_bits);
        next += digits.bits(pass);
      }
      EXPECT_EQ(next, key_bits);
    });
  }
}

TEST(MultisplitPlan, ThePapersSortSplitsBy4AndFourTimes7Bits) {
  const Digits digits{.key_bits = 32, .digit_bits = kPaperBits};
  ASSERT_EQ(digits.passes(), 5);
  EXPECT_EQ(digits.bits(0), 4);
  for (int pass = 1; pass < 5; ++pass) EXPECT_EQ(digits.bits(pass), 7);
  EXPECT_EQ(kPaper.tile(), 1024U);
}

TEST(MultisplitPlan, CountersOfALaneAndBallotsSufficeForTheirBits) {
  each("digit_bits", [](int bits) {
    EXPECT_GE(kWarp * buckets_a_lane(bits), 1 << bits);
    EXPECT_GE(ballots(bits), bits);
    EXPECT_NE(std::ranges::find(kBucketsPerLane, buckets_a_lane(bits)), kBucketsPerLane.end());
    EXPECT_NE(std::ranges::find(kBallots, ballots(bits)), kBallots.end());
  });
}

TEST(MultisplitPlan, LaunchesWhatFitsAndDeclinesTheRestInWords) {
  int launched = 0, declined = 0;
  for (const auto& [level_word, level] : kLevels) {
    for (const auto& [counters_word, counters] : kCounters) {
      each("threads", [&, level = level, counters = counters, &level_word = level_word,
                       &counters_word = counters_word](int threads) {
        each("items", [&](int items) {
          each("digit_bits", [&](int bits) {
            Parameters parameters;
            parameters.set("level", std::string{level_word});
            parameters.set("counters", std::string{counters_word});
            parameters.set("threads", std::int64_t{threads});
            parameters.set("items", std::int64_t{items});
            parameters.set("digit_bits", std::int64_t{bits});
            const auto reason = algorithm().declines({.n = 1}, parameters, {});
            if (reason) {
              ASSERT_FALSE(reason->empty());
              ++declined;
              return;
            }
            ++launched;
            const Shape shape{.level = level, .counters = counters, .threads = threads, .items = items};
            ASSERT_LE(scatter_bytes(shape, bits, 16), static_cast<std::uint32_t>(kSharedMemory));
            ASSERT_LE(histogram_bytes(shape, bits), 48U * 1024);  // the limit without opt-in
            ASSERT_LE(threads, kMaxThreads);
            ASSERT_GE(threads, 1 << bits);  // one thread per bucket
          });
        });
      });
    }
  }
  // Lanes: 8 widths by blocks and 5 by warps. Shared memory: 8 widths for each shape of a block.
  EXPECT_EQ(launched, 8 + 5 + 8 * static_cast<int>(kThreadsOfShared.size() * kItemsOfShared.size()));
  EXPECT_GT(declined, launched);
}

TEST(MultisplitPlan, SaysWhatThereIs) {
  EXPECT_EQ(declines({.level = Level::block, .counters = Counters::lanes, .threads = 256, .items = 16}, 8),
            "items must be 4 with counters=lanes");
  EXPECT_EQ(declines({.level = Level::block, .counters = Counters::shared, .threads = 320, .items = 16}, 8),
            "threads must be 256 or 384 with counters=shared");
  EXPECT_EQ(declines({.level = Level::warp, .counters = Counters::shared, .threads = 256, .items = 16}, 5),
            "level=warp counts in lanes: counters must be lanes");
  EXPECT_EQ(declines(kPaperWarp, 6),
            "digit_bits must be at most 5 with level=warp, where each bucket has one of 32 lanes");
}

TEST(MultisplitPlan, PresetsAndAutomaticSettingsHaveKernels) {
  EXPECT_EQ(declines(kPaper, kPaperBits), std::nullopt);
  EXPECT_EQ(declines(kPaperWarp, kMaxWarpBits), std::nullopt);
  EXPECT_EQ(declines(kTuned, kMaxDigitBits), std::nullopt);
}

TEST(MultisplitPlan, BlocksHoldAllTiles) {
  for (const Shape& shape : {kPaper, kPaperWarp, kTuned}) {
    for (const std::uint64_t tiles : {1, 2, 7, 8, 9, 1000}) {
      const std::uint64_t held = std::uint64_t{shape.blocks(tiles)} * shape.tiles_per_block();
      EXPECT_GE(held, tiles);
      EXPECT_LT(held - tiles, shape.tiles_per_block());
    }
  }
}

}  // namespace
}  // namespace sortlab::multisplit
