// The probes of all sorts on a device, measured once each.
#include <algorithm>
#include <set>

#include "tests/support/device_probe_test.hpp"

namespace sortlab::calibration {
namespace {

using Places = std::set<std::vector<double>>;

/// The first `count` arguments of a table's points.
Places places(const ProfileTable& table, std::size_t count) {
  Places all;
  for (const auto& point : table.points) all.emplace(point.at.begin(), point.at.begin() + static_cast<int>(count));
  return all;
}

TEST_F(DeviceProbes, OfEverySortGiveTablesOfComponents) {
  const Tables tables = measured([](const DeviceProbe& probe) { return probe.kind == TableKind::component; });
  ASSERT_FALSE(tables.empty());
  for (const auto& [name, table] : tables) {
    EXPECT_EQ(table.kind, "component") << name;
    if (table.unit != "cycles/element") continue;
    // Work that the compiler removed would take less.
    for (const auto& point : table.points) EXPECT_GT(point.value, 0.01) << name;
  }
}

TEST_F(DeviceProbes, MeasureEachTileBesideOthersAndAlone) {
  const Tables tables = measured([](const DeviceProbe& probe) { return probe.kind == TableKind::component; });
  const std::string alone = "alone.";
  const auto is_alone = [&](const auto& entry) { return entry.first.starts_with(alone); };
  ASSERT_TRUE(std::ranges::any_of(tables, is_alone));
  for (const auto& [name, table] : tables) {
    if (!name.starts_with(alone)) continue;
    const ProfileTable& tile = tables.at("tile." + name.substr(alone.size()));
    const std::size_t count = table.arguments.size();
    EXPECT_EQ(places(table, count), places(tile, count)) << name;
    if (tile.arguments.back() == "entropy") {
      EXPECT_EQ(tile.points.size(), 2 * table.points.size()) << name;  // quick: zero and full entropy
    }
  }
}

}  // namespace
}  // namespace sortlab::calibration
