// Measures the probes of steps 1 and 3 once each.
#include <algorithm>

#include "algorithms/multisplit_radix/plan.hpp"
#include "tests/support/device_probe_test.hpp"

namespace sortlab::calibration {
namespace {

TEST_F(DeviceProbes, OfMultisplitRadix) {
  const Tables tables = measured("multisplit_radix");
  for (const char* step : {"multisplit_histogram", "multisplit_scatter"}) {
    for (const char* kind : {"tile.", "resident."}) {
      const auto& points = tables.at(std::string{kind} + step).points;
      EXPECT_FALSE(points.empty());
      for (const auto& point : points) EXPECT_GT(point.value, 0) << kind << step;
    }
  }
  // A row takes one ballot per bit; with 128 buckets a lane has four counters instead of one.
  const auto& counts = tables.at("tile.multisplit_histogram").points;
  const auto of_lanes = [&](double bits) {
    const auto found = std::ranges::find_if(counts, [&](const auto& point) {
      return point.at[0] == 0 && point.at[1] == 0 && point.at[4] == bits && point.at[5] == 4 && point.at[6] == bits;
    });
    return found->value;
  };
  EXPECT_GT(of_lanes(multisplit::kPaperBits), of_lanes(4));
}

}  // namespace
}  // namespace sortlab::calibration
