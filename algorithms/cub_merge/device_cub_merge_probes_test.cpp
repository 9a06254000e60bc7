// Measures the probes of the library's merge sort once each.
#include "tests/support/device_probe_test.hpp"

namespace sortlab::calibration {
namespace {

TEST_F(DeviceProbes, OfCubMerge) {
  const Tables tables = measured("cub_merge");
  const auto& sorted = tables.at("tile.merge_sort").points;
  const auto& merged = tables.at("tile.merge").points;
  ASSERT_EQ(sorted.size(), 4);
  ASSERT_EQ(merged.size(), 4 * 2);
  for (std::size_t i = 0; i < sorted.size(); ++i) EXPECT_GT(sorted[i].value, merged[2 * i].value);  // many merges
}

}  // namespace
}  // namespace sortlab::calibration
