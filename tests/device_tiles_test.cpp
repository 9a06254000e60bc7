// Tile primitives and searches, measured once each.
#include "device_test.hpp"
#include "harness/cuda/calibration/probes.hpp"
#include "harness/cuda/device_facts.hpp"

namespace sortlab::calibration {
namespace {

using Tables = std::map<std::string, ProfileTable, std::less<>>;

class DeviceTiles : public DeviceTest {
 protected:
  static Tables measured(void (*add)(Rounds&, DeviceBench&)) {
    const DeviceFacts facts = facts_of(0);
    DeviceBench bench{facts.multiprocessors, facts.clock_hz, true};
    Rounds rounds{[](const auto& probe) { return Sample{.value = probe()}; }};
    add(rounds, bench);
    rounds.run(1, 0, [](double) {});
    Tables tables;
    rounds.write_to(tables);
    for (const auto& [name, table] : tables) {
      for (const auto& point : table.points) {
        EXPECT_GT(point.value, 0) << name;
        // Work that the compiler removed would take less.
        if (table.unit == "cycles/element") {
          EXPECT_GT(point.value, 0.01) << name;
        }
      }
    }
    return tables;
  }
};

TEST_F(DeviceTiles, OfOneSweep) {
  const Tables tables = measured(add_library_onesweep_probes);
  const auto& ranked = tables.at("tile.rank_match").points;
  EXPECT_EQ(ranked.size(), 4 * 2 + 3 * 2);
  EXPECT_EQ(tables.at("tile.histogram").points.size(), 5 * 2);
  EXPECT_LT(ranked[0].value, ranked[1].value);  // a tile of one digit is only copied
}

TEST_F(DeviceTiles, OfUpsweepAndDownsweep) {
  const Tables tables = measured(add_library_two_read_probes);
  EXPECT_EQ(tables.at("tile.rank_downsweep").points.size(), 3 * 4 * 2);
  EXPECT_EQ(tables.at("tile.rank_downsweep_alternate").points.size(), 2 * 4 * 2);
  EXPECT_EQ(tables.at("tile.upsweep").points.size(), 3 * 2 * 2);
  EXPECT_EQ(tables.at("tile.upsweep_alternate").points.size(), 2 * 2 * 2);
}

TEST_F(DeviceTiles, OfTheLibrarysMergeSort) {
  const Tables tables = measured(add_library_merge_probes);
  const auto& sorted = tables.at("tile.merge_sort").points;
  const auto& merged = tables.at("tile.merge").points;
  ASSERT_EQ(sorted.size(), 4);
  ASSERT_EQ(merged.size(), 4 * 2);
  for (std::size_t i = 0; i < sorted.size(); ++i) EXPECT_GT(sorted[i].value, merged[2 * i].value);  // many merges
}

TEST_F(DeviceTiles, OfSatishsMergeSort) {
  const Tables tables = measured(add_merge_tile_probes);
  for (const char* name : {"tile.network", "tile.path_sort", "tile.merge_ranks"}) {
    EXPECT_EQ(tables.at(name).points.size(), 4) << name;
  }
  EXPECT_EQ(tables.at("tile.merge_path").points.size(), 4 * 2);
}

TEST_F(DeviceTiles, SearchesTakeLongerInMore) {
  const auto points = measured(add_search_probes).at("search").points;
  ASSERT_GE(points.size(), 4);
  EXPECT_GT(points.back().value, points.front().value);
}

}  // namespace
}  // namespace sortlab::calibration
