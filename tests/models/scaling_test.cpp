// Profiles scaled resource by resource: which part of a value follows which resource, what is left out, what is
// refused.
#include "models/scaling.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "core/parameters.hpp"
#include "models/kernels/device_kernel.hpp"

namespace sortlab {
namespace {

ProfileTable table(std::string unit, std::vector<std::string> arguments, std::vector<ProfileTable::Point> points) {
  return {.unit = std::move(unit), .source = "test", .arguments = std::move(arguments), .points = std::move(points)};
}

MachineProfile gpu() {
  MachineProfile profile{.id = "gpu", .name = "GPU", .origin = "calibrated", .source = "test"};
  profile.clock_hz = 1e9;
  profile.cores = 100;
  profile.cache_bytes = {{"shared", 65536}, {"L2", 4e6}};
  profile.compute_capability = "9.0";
  profile.tables["copy"] = table("B/s", {"access_bytes", "bytes"}, {{{4, 1e6}, 8e12, {}}, {{4, 1e9}, 2e12, {}}});
  profile.tables["scatter"] =
      table("B/s", {"element_bytes", "runs", "run_bytes"}, {{{4, 256, 64}, 1e12, {}}, {{4, 16, 512}, 2e12, {}}});
  profile.tables["latency"] = table("s", {"bytes"}, {{{1024}, 1e-8, {}}, {{1e6}, 2e-7, {}}, {{1e9}, 4e-7, {}}});
  profile.tables["launch"] = table("s", {}, {{{}, 1e-6, {}}});
  profile.tables["issue.ffma"] = table("1/cycle", {}, {{{}, 4, {}}});
  profile.tables["issue.lop3"] = table("1/cycle", {}, {{{}, 2, {}}});
  profile.tables["shared_load"] = table("cycles", {"degree"}, {{{1}, 1, {}}});
  profile.tables["overlap.copy_shared"] = table("exponent", {}, {{{}, 4, {}}});
  profile.tables["alone.rank_match"] = table("s", {"digit_bits", "key_bytes", "value_bytes"}, {{{8, 4, 0}, 4e-6, {}}});
  profile.tables["tile.rank_match"] =
      table("cycles/element", {"digit_bits", "key_bytes", "value_bytes", "entropy"}, {{{8, 4, 0, 8}, 1.5, {}}});
  profile.tables["tile.counter_scan"] = table("s", {"counters"}, {{{1000}, 4e-6, {}}, {{1e6}, 9e-6, {}}});
  profile.tables["hybrid.count"] = table("s", {"blocks"}, {{{1}, 1e-6, {}}});
  profile.tables["datasheet.bandwidth"] = table("B/s", {}, {{{}, 2.5e12, {}}});
  return profile;
}

MachineProfile host() {
  MachineProfile profile{.id = "host", .name = "Host", .origin = "calibrated", .source = "test"};
  profile.clock_hz = 1e9;
  profile.cores = 4;
  profile.cache_bytes = {{"L1d", 32768}, {"L2", 1e6}, {"L3", 8e6}};
  profile.tables["copy_nt"] = table("B/s", {"threads", "bytes"}, {{{4, 1e9}, 16e9, {}}});
  profile.tables["append"] =
      table("s/element", {"key", "value", "lines", "digit_bits", "collision_bits"}, {{{4, 0, 1, 8, 8}, 1e-9, {}}});
  profile.tables["scatter"] = table("s/element", {"threads", "key", "value", "lines", "digit_bits", "collision_bits"},
                                    {{{4, 4, 0, 1, 8, 8}, 3e-9, {}}});
  profile.tables["split.count"] = table("s/element", {"threads", "key", "collision_bits", "bytes"},
                                        {{{4, 4, 8, 1e5}, 1e-9, {}},
                                         {{4, 4, 8, 1e6}, 1.5e-9, {}},
                                         {{4, 4, 8, 1e8}, 4e-9, {}},
                                         {{1, 4, 8, 1e5}, 9e-9, {}}});
  profile.tables["msd.avx2.append"] =
      table("s/element", {"threads", "key", "value", "digits", "lines"}, {{{4, 4, 0, 16, 4}, 5e-9, {}}});
  profile.tables["barrier"] = table("s", {"threads"}, {{{4}, 1e-6, {}}});
  return profile;
}

std::string complaint(const auto& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "none";
}

TEST(Scaling, LeavesWhatNobodyChanges) {
  const MachineProfile base = gpu();
  const MachineProfile same = scaled(base, {}, true);
  EXPECT_EQ(same.origin, kScaledOrigin);
  EXPECT_EQ(same.base, "gpu");
  for (const auto& [name, of] : same.tables) {
    for (std::size_t i = 0; i < of.points.size(); ++i) {
      EXPECT_DOUBLE_EQ(of.points[i].value, base.tables.find(name)->second.points[i].value) << name;
    }
  }
  EXPECT_EQ(same.cores, 100);
}

TEST(Scaling, BandwidthIsOfMemoryWhereTheCacheDoesNotHoldTheWorkingSet) {
  const MachineProfile twice = scaled(gpu(), {{"memory.bandwidth", 2}}, true);
  EXPECT_DOUBLE_EQ(twice.at("copy", {4, 1e9}), 4e12);
  EXPECT_DOUBLE_EQ(twice.at("copy", {4, 1e6}), 8e12);
  EXPECT_DOUBLE_EQ(twice.at("launch"), 1e-6);
  EXPECT_DOUBLE_EQ(twice.at("tile.counter_scan", {1e6}), 4e-6 + 2.5e-6);  // all but launches streams
}

TEST(Scaling, ShortRunsFollowMemoryAsFarAsACopyDoes) {
  // A copy takes 0.5 ps a byte, runs of 64 bytes 1 ps: half of that is memory's.
  EXPECT_DOUBLE_EQ(scaled(gpu(), {{"memory.bandwidth", 2}}, true).at("scatter", {4, 256, 64}), 1 / 0.75e-12);
  EXPECT_DOUBLE_EQ(scaled(gpu(), {{"l2.bandwidth", 2}}, true).at("scatter", {4, 256, 64}), 1 / 0.75e-12);
  EXPECT_DOUBLE_EQ(scaled(gpu(), {{"memory.bandwidth", 2}}, true).at("scatter", {4, 16, 512}), 4e12);
}

TEST(Scaling, ALatencyIsLongerByItsFactor) {
  const MachineProfile longer = scaled(gpu(), {{"memory.latency", 2}}, true);
  EXPECT_DOUBLE_EQ(longer.at("latency", {1e9}), 8e-7);
  EXPECT_DOUBLE_EQ(longer.at("latency", {1e6}), 2e-7);
  EXPECT_DOUBLE_EQ(scaled(gpu(), {{"clock", 2}}, true).at("latency", {1024}), 0.5e-8);
}

TEST(Scaling, ALargerCacheMovesTheWorkingSetsThatItHolds) {
  const MachineProfile larger = scaled(gpu(), {{"l2.bytes", 4}}, true);
  EXPECT_DOUBLE_EQ(larger.cache("L2"), 16e6);
  EXPECT_DOUBLE_EQ(larger.at("copy", {4, 4e6}), 8e12);
  EXPECT_LT(gpu().at("copy", {4, 4e6}), 8e12);
  EXPECT_DOUBLE_EQ(larger.at("latency", {1024}), 1e-8);
}

TEST(Scaling, FactorsOfWhatIsScaledAlreadyMultiply) {
  MachineProfile once = scaled(gpu(), {{"multiprocessors", 1.5}, {"clock", 2}}, true);
  MachineProfile twice = scaled(once, {{"clock", 2}}, true);
  set_hash(once);
  set_hash(twice);
  EXPECT_EQ(twice.cores, 150);
  EXPECT_DOUBLE_EQ(twice.clock_hz, 4e9);
  EXPECT_DOUBLE_EQ(twice.factor("clock"), 4);
  EXPECT_DOUBLE_EQ(twice.factor("multiprocessors"), 1.5);
  EXPECT_EQ(twice.base, "gpu");
  EXPECT_NE(twice.hash, once.hash);
}

TEST(Scaling, PiecesOfAHostFollowTheMemoryAsFarAsTheyLeaveTheCaches) {
  const MachineProfile twice = scaled(host(), {{"memory.bandwidth", 2}}, false);
  EXPECT_DOUBLE_EQ(twice.at("split.count", {4, 4, 8, 1e5}), 1e-9);
  EXPECT_DOUBLE_EQ(twice.at("split.count", {4, 4, 8, 1e6}), 1.5e-9);           // four times that fit L3
  EXPECT_DOUBLE_EQ(twice.at("split.count", {4, 4, 8, 1e8}), 1e-9 + 3e-9 / 2);  // one thread has other cache shares
  EXPECT_DOUBLE_EQ(twice.at("scatter", {4, 4, 0, 1, 8, 8}), 1e-9 + 2e-9 / 2);
  EXPECT_DOUBLE_EQ(twice.at("msd.avx2.append", {4, 4, 0, 16, 4}), 3e-9 + 2e-9 / 2);  // 8 bytes at 4 GB/s a thread
  const MachineProfile faster = scaled(host(), {{"clock", 2}}, false);
  EXPECT_DOUBLE_EQ(faster.at("split.count", {4, 4, 8, 1e6}), 0.75e-9);
  EXPECT_DOUBLE_EQ(faster.at("split.count", {4, 4, 8, 1e8}), 0.5e-9 + 3e-9);
  EXPECT_DOUBLE_EQ(faster.at("barrier", {4}), 1e-6);
  EXPECT_DOUBLE_EQ(scaled(host(), {{"synchronization.latency", 0.5}}, false).at("barrier", {4}), 0.5e-6);
}

TEST(Scaling, WhatNoRuleScalesIsLeftOutAndSaid) {
  const MachineProfile twice = scaled(gpu(), {{"clock", 2}}, true);
  EXPECT_EQ(complaint([&] { twice.at("hybrid.count", {1}); }),
            "the profile of GPU is scaled, and no rule scales 'hybrid.count'");
}

TEST(Scaling, RefusesAResourceThatIsNone) {
  EXPECT_NE(complaint([] {
              scaled(gpu(), {{"bandwidth", 2}}, true);
            }).find("unknown resource 'bandwidth'"),
            std::string::npos);
  EXPECT_NE(complaint([] {
              scaled(host(), {{"multiprocessors", 2}}, false);
            }).find("allowed: clock, memory.bandwidth"),
            std::string::npos);
}

TEST(Scaling, ComparesADatasheetWithWhatWasMeasured) {
  MachineProfile sheet{.id = "other", .name = "Other", .origin = "datasheet", .source = "test"};
  sheet.clock_hz = 2e9;
  sheet.cores = 50;
  sheet.cache_bytes = {{"shared", 65536}, {"L2", 8e6}};
  sheet.compute_capability = "12.0";
  sheet.tables["datasheet.bandwidth"] = table("B/s", {}, {{{}, 5e12, {}}});
  const MachineProfile made = on_datasheet(gpu(), sheet);
  EXPECT_EQ(made.id, "other");
  EXPECT_EQ(made.cores, 50);
  EXPECT_DOUBLE_EQ(made.factor("clock"), 2);
  EXPECT_DOUBLE_EQ(made.factor("multiprocessors"), 0.5);
  EXPECT_DOUBLE_EQ(made.factor("l2.bandwidth"), 1);
  EXPECT_DOUBLE_EQ(made.factor("integer"), 2);
  EXPECT_DOUBLE_EQ(made.at("copy", {4, 2e9}), 4e12);
  EXPECT_DOUBLE_EQ(made.at("issue.lop3"), 4);
  EXPECT_EQ(made.compute_capability, "9.0");  // the capability its tables were measured for
  sheet.compute_capability = "7.0";
  EXPECT_EQ(complaint([&] { on_datasheet(gpu(), sheet); }),
            "machine: compute_capability of Other is 7.0; allowed: 7.5, 8.0, 8.6, 8.7, 8.8, 8.9, 9.0, 10.0, 10.3, "
            "11.0, 12.0, "
            "12.1, whose rates are known");
}

TEST(Scaling, OfATilesCyclesThoseThatItsPipesAreBusyFollowThem) {
  const auto cycles = [](const MachineProfile& profile) {
    const DeviceCosts device{profile, Level::tiles, "cub_radix", "", {4, 0}};
    return device.tile("DeviceRadixSortOnesweepKernel", "rank_match", {8, 4, 0}, 8).cycles;
  };
  const double slow = cycles(scaled(gpu(), {{"issue", 0.5}, {"integer", 0.5}, {"shared", 0.5}}, true));
  const double fast = cycles(scaled(gpu(), {{"issue", 2}, {"integer", 2}, {"shared", 2}}, true));
  EXPECT_DOUBLE_EQ(cycles(scaled(gpu(), {{"clock", 2}}, true)), 1.5);
  // Pipes are busy for 0.84 of 1.5 cycles (2.6470 / 4, 1.4391 / 2 and 0.6828 overlap), so halving their speed adds
  // 0.84.
  EXPECT_NEAR(slow - 1.5, 0.84, 0.01);
  EXPECT_NEAR(1.5 - fast, 0.42, 0.005);
  // A kernel that nobody counted cannot be told.
  const MachineProfile other = scaled(gpu(), {{"issue", 2}}, true);
  const DeviceCosts device{other, Level::tiles, "no_such_sort", "", {4, 0}};
  EXPECT_NE(complaint([&] {
              device.tile("phase", "rank_match", {8, 4, 0}, 8);
            }).find("no operations were counted"),
            std::string::npos);
}

}  // namespace
}  // namespace sortlab
