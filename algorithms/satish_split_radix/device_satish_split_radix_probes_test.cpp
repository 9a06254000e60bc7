// Measures the probes of steps 1 and 3 and the prefix sum of step 2 once each.
#include <algorithm>

#include "tests/support/device_probe_test.hpp"

namespace sortlab::calibration {
namespace {

TEST_F(DeviceProbes, OfSatishSplitRadix) {
  const Tables tables = measured("satish_split_radix");
  // One split per bit.
  const auto& vertical = tables.at("tile.split_vertical").points;
  const auto of_digit = [&](double bits) {
    const auto found = std::ranges::find_if(vertical, [&](const auto& point) {
      return point.at[0] == bits && point.at[3] == 4 && point.at.back() == bits;
    });
    return found->value;
  };
  EXPECT_GT(of_digit(8), 1.5 * of_digit(4));
  EXPECT_GT(of_digit(4), 1.5 * of_digit(2));
  const auto& scans = tables.at("tile.counter_scan").points;
  EXPECT_GT(scans.back().value, scans.front().value);
}

}  // namespace
}  // namespace sortlab::calibration
