// Measures the probes of tiles, merges and searches once each.
#include "tests/support/device_probe_test.hpp"

namespace sortlab::calibration {
namespace {

TEST_F(DeviceProbes, SearchesTakeLongerInLongerRuns) {
  const auto tables = measured("satish_gpu_merge");
  for (const std::string how : {"splitters", "path"}) {
    const auto& points = tables.at("search." + how).points;
    ASSERT_GE(points.size(), 8) << how;
    EXPECT_EQ(points.front().at[0], points[1].at[0]);
    EXPECT_GT(points[1].value, points.front().value) << how;
  }
}

}  // namespace
}  // namespace sortlab::calibration
