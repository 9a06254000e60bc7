// Calibration of a device gives all tables of the hardware and of the sorts' probes, with plausible points. Their exact
// values depend on the machine.
#include <fmt/format.h>

#include <algorithm>

#include "harness/calibrate/calibrate.hpp"
#include "tests/support/device_test.hpp"

namespace sortlab {
namespace {

class DeviceCalibration : public DeviceTest {};

TEST_F(DeviceCalibration, QuickGivesEveryTable) {
  double last = 0;
  const MachineProfile profile = calibrate_device({.quick = true, .progress = [&](double share, double) {
                                                     EXPECT_GE(share, last);
                                                     EXPECT_LE(last = share, 1);
                                                   }});
  EXPECT_EQ(profile.origin, "calibrated");
  EXPECT_EQ(profile.device(), &profile);
  EXPECT_GT(profile.cores, 0);
  EXPECT_GT(profile.cache("shared"), 0);
  EXPECT_GT(profile.cache("L2"), 0);
  for (const char* table : {"clock",
                            "read",
                            "write",
                            "copy",
                            "read2_write1",
                            "scatter",
                            "scatter_random",
                            "latency",
                            "in_flight",
                            "shared_atomic",
                            "shared_load",
                            "shared_store",
                            "shared_random",
                            "shared_atomic_ands",
                            "shared_broadcast",
                            "issue.iadd3",
                            "issue.lop3",
                            "issue.shf",
                            "issue.imad",
                            "issue.popc",
                            "issue.vote",
                            "issue.match",
                            "match",
                            "issue.shfl",
                            "issue.prmt",
                            "issue.barrier",
                            "issue.lds",
                            "issue.sts",
                            "issue.ffma",
                            "launch",
                            "launch_dependent",
                            "launch_wide",
                            "graph_node",
                            "host_sync",
                            "copy_back",
                            "memset",
                            "ramp",
                            "lookback_hop",
                            "lookback",
                            "link",
                            "overlap.copy_alu",
                            "overlap.copy_alu_barrier",
                            "overlap.copy_shared",
                            "overlap.copy_shared_barrier"}) {
    EXPECT_TRUE(profile.has(table)) << table;
  }
  EXPECT_TRUE(std::ranges::any_of(profile.tables, [](const auto& table) { return table.second.kind == "component"; }));
  for (const auto& [name, table] : profile.tables) {
    EXPECT_FALSE(table.kind.empty()) << name;
    for (const auto& point : table.points) {
      const std::string where = fmt::format("{} at {}", name, fmt::join(point.at, ", "));
      EXPECT_GT(point.value, 0) << where;
      if (name.starts_with("datasheet.")) continue;
      ASSERT_TRUE(point.ci95.has_value()) << where;
      EXPECT_LE(point.ci95->first, point.value) << where;
      EXPECT_GE(point.ci95->second, point.value) << where;
    }
  }
}

// Properties that hold on any device.
TEST_F(DeviceCalibration, QuickGivesWhatTheMechanismsSay) {
  const MachineProfile profile = calibrate_device({.quick = true});
  EXPECT_LT(profile.at("clock"), 1.1 * profile.clock_hz);
  if (profile.has("datasheet.bandwidth")) {
    EXPECT_LT(profile.at("copy", {16, 1e12}), profile.at("datasheet.bandwidth"));
  }
  EXPECT_LE(profile.at("issue.ffma"), 4);
  EXPECT_NEAR(profile.at("shared_load", {32}) / profile.at("shared_load", {1}), 32, 8);
  EXPECT_LT(profile.at("shared_random", {4}), profile.at("shared_load", {8}));
  EXPECT_LT(profile.at("in_flight", {1, 1}), profile.at("in_flight", {64, 8}));
  EXPECT_LT(profile.at("latency", {16 * 1024}), profile.at("latency", {256 * 1024 * 1024}));
}

}  // namespace
}  // namespace sortlab
