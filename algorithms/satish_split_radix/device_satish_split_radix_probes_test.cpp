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
  // One lane appends a key by ten instructions or more, of which a multiprocessor issues four a cycle.
  const auto of_buffers = std::ranges::find_if(tables.at("tile.split_buffers").points, [](const auto& point) {
    return point.at[2] == 4 && point.at[3] == 0 && point.at.back() == 4;
  });
  EXPECT_GT(of_buffers->value, 2);
  EXPECT_GE(tables.at("resident.split_buffers").points.front().value, 1);
  const auto& scans = tables.at("tile.counter_scan").points;
  EXPECT_GT(scans.back().value, scans.front().value);
}

}  // namespace
}  // namespace sortlab::calibration
