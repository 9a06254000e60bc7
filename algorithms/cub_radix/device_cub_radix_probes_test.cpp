// Measures the probes of OneSweep's tiles once each.
#include "tests/support/device_probe_test.hpp"

namespace sortlab::calibration {
namespace {

TEST_F(DeviceProbes, OfCubRadix) {
  const Tables tables = measured("cub_radix");
  const auto& ranked = tables.at("tile.rank_match").points;
  EXPECT_LT(ranked[0].value, ranked[1].value);  // a tile of one digit is only copied
}

}  // namespace
}  // namespace sortlab::calibration
