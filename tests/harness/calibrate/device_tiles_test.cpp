// Tile primitives and searches, measured once each.
#include <algorithm>

#include "harness/calibrate/device/probes.hpp"
#include "harness/measure/cuda/device_facts.hpp"
#include "tests/support/device_test.hpp"

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
  EXPECT_EQ(tables.at("tile.rank_match_tuned").points.size(), 4 * 2);
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
  for (const std::string name : {"network", "merge_ranks", "merge_path"}) {
    EXPECT_EQ(tables.at("tile." + name).points.size(), 4 * 2) << name;
    EXPECT_EQ(tables.at("alone." + name).points.size(), 4) << name;
  }
  EXPECT_EQ(tables.at("tile.path_sort").points.size(), 4);
}

TEST_F(DeviceTiles, OfOurRadixSorts) {
  const Tables tables = measured(add_radix_tile_probes);
  constexpr std::size_t types = 4;      // of key and value
  constexpr std::size_t entropies = 2;  // where they are an argument
  const std::map<std::string, std::size_t> alone{
      {"split_vertical", types + 3},                              // and other widths of digits of 4-byte keys
      {"split_ballot", types},       {"split_fused", 2 * types},  // digits of 4 and 5 bits
      {"split_2009", types},         {"find_offsets", 2},        {"implicit", 2 * types},  // two shapes
      {"four_way", 2 * types},       {"count_bytes", 2 * types}, {"scatter_runs", types},
      {"implicit_shuffle", types},   {"count_nibbles", types},   {"four_way_shuffle", types},
      {"four_way_count", types},
  };
  for (const auto& [name, points] : alone) {
    const ProfileTable& tile = tables.at("tile." + name);
    const bool has_entropy = tile.arguments.back() == "entropy";
    EXPECT_EQ(tile.points.size(), points * (has_entropy ? entropies : 1)) << name;
    EXPECT_EQ(tables.at("alone." + name).points.size(), points) << name;
  }
  // A split a bit.
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

TEST_F(DeviceTiles, SearchesTakeLongerInLongerRuns) {
  const auto tables = measured(add_search_probes);
  for (const std::string how : {"splitters", "path"}) {
    const auto& points = tables.at("search." + how).points;
    ASSERT_GE(points.size(), 8) << how;
    EXPECT_EQ(points.front().at[0], points[1].at[0]);
    EXPECT_GT(points[1].value, points.front().value) << how;
  }
}

}  // namespace
}  // namespace sortlab::calibration
