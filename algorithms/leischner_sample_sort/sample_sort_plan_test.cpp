// Checks ways, tiles and bounds of the sample sort's plan.
#include <gtest/gtest.h>

#include "algorithms/leischner_sample_sort/plan.hpp"
#include "algorithms/plugin.hpp"
#include "tests/support/settings_of_plugin.hpp"

namespace sortlab::sample_sort {
namespace {

Settings settings_of_preset(std::string_view name, std::uint64_t n, std::size_t key_bytes, std::size_t value_bytes,
                            const GivenParameters& changes = {}) {
  const Algorithm& algorithm = algorithm_named("leischner_sample_sort");
  GivenParameters given = preset(algorithm, name);
  for (const auto& [parameter, value] : changes) given[parameter] = value;
  return resolve_settings(resolve(algorithm.info().name, algorithm.info().parameters, given), n, key_bytes,
                          value_bytes);
}

TEST(SampleSortPlan, PapersParameters) {
  const Settings narrow = settings_of_preset("paper", 1 << 24, 4, 4), wide = settings_of_preset("paper", 1 << 24, 8, 0);
  EXPECT_EQ(narrow.ways, 128u);
  EXPECT_EQ(narrow.bucket, 1u << 17);
  EXPECT_EQ(narrow.tile, 2048u);
  EXPECT_EQ(narrow.oversampling, 30u);
  EXPECT_EQ(wide.oversampling, 15u);
  // The sample has 15360 bytes for both widths (LEI-M3).
  EXPECT_EQ(sample_bytes(narrow, 4), 15360u);
  EXPECT_EQ(sample_bytes(wide, 8), 15360u);
}

TEST(SampleSortPlan, ReleasedParameters) {
  EXPECT_EQ(released_bucket(1 << 16, 128), 1u << 14);
  EXPECT_EQ(released_bucket(std::uint64_t{1} << 32, 128), 1u << 18);
  EXPECT_EQ(released_bucket(2262742, 128), 100000u);  // n / 22.627
  const Settings settings = settings_of_preset("released", 1 << 24, 4, 4);
  EXPECT_EQ(settings.tile, 38912u);  // 2^24 elements in about 450 tiles, of whole 256 threads by 8 elements
  EXPECT_EQ(kept_counters(settings), 8u);
}

TEST(SampleSortPlan, FixedWaysAreAllOfThem) {
  const Settings settings = settings_of_preset("paper", 1 << 24, 4, 0);
  for (const std::uint64_t count : {131073, 1 << 24, 1 << 30}) EXPECT_EQ(log_ways(settings, count), 7u);
}

/// The necessary levels share the ways, and the last gives buckets of at most M/2 on average.
TEST(SampleSortPlan, FittedWaysEndInHalfABucket) {
  for (const std::size_t key_bytes : {4, 8, 16}) {
    const Settings settings = settings_of_preset("tuned", 0, key_bytes, 0);
    for (std::uint64_t n = settings.bucket + 1; n < std::uint64_t{1} << 40; n += n / 3) {
      std::uint64_t count = n;
      int levels = 0;
      while (count > settings.bucket) {
        const std::uint32_t log = log_ways(settings, count);
        ASSERT_GE(log, kMinLogWays);
        ASSERT_LE(1u << log, settings.ways);
        count >>= log;
        ++levels;
      }
      EXPECT_LE(count, settings.bucket / 2 + 1) << n;
      int needed = 0;  // levels with all ways
      for (std::uint64_t left = n; left > settings.bucket / 2; left /= settings.ways) ++needed;
      EXPECT_LE(levels, needed) << n;
    }
  }
}

/// The worst case: as many segments as possible, each just over M elements.
TEST(SampleSortPlan, BoundsHold) {
  for (const char* preset : {"paper", "released", "tuned"}) {
    for (const std::uint64_t n : {100000ull, 1ull << 24, 3000000019ull}) {
      const Settings settings = settings_of_preset(preset, n, 4, 4);
      const Bounds bounds = list_bounds(settings, n);
      for (const std::uint64_t count : {settings.bucket + 1, 3 * settings.bucket, n}) {
        if (count > n) continue;
        const std::uint64_t segments = std::max<std::uint64_t>(n / count, 1), tiles = count / settings.tile + 1;
        const std::uint64_t ways = std::uint64_t{1} << log_ways(settings, count);
        EXPECT_LE(segments, bounds.segments);
        EXPECT_LE(segments * tiles, bounds.tiles);
        EXPECT_LE(segments * ways, bounds.ways);
        EXPECT_LE(segments * tiles * ways * kept_counters(settings) + 1, bounds.counters);
      }
    }
  }
}

TEST(SampleSortPlan, DeclinesWhatHasNoKernel) {
  const auto declined = [](const char* preset, const GivenParameters& changes) {
    return declines(settings_of_preset(preset, 1 << 24, 4, 4, changes), 4, 4).value_or("");
  };
  EXPECT_EQ(declined("paper", {}), "");
  EXPECT_EQ(declined("tuned", {}), "");
  EXPECT_EQ(declined("paper", {{"ways", "100"}}), "ways must be a power of two");
  EXPECT_EQ(declined("paper", {{"counters", "3"}}), "counters must be a power of two");
  EXPECT_EQ(declined("paper", {{"threads", "100"}}), "threads must be a multiple of 32");
  EXPECT_EQ(declined("tuned", {{"bucket", "9000"}}),
            "bucket_sort=merge takes buckets of at most 8704 elements with this key");
  EXPECT_EQ(declined("tuned", {{"counts", "apart"}}), "scatter=reordered needs counts=summed");
  EXPECT_NE(declined("tuned", {{"items", "64"}}).find("bytes of shared memory"), std::string::npos);
  EXPECT_NE(declined("paper", {{"vote", "yes"}, {"counters", "16"}}).find("whole warps"), std::string::npos);
}

}  // namespace
}  // namespace sortlab::sample_sort
