// Every tile shape that the parameters allow has kernels or is declined with a reason.
#include <gtest/gtest.h>

#include "algorithms/ha_implicit_radix/plan.hpp"

namespace sortlab::ha {
namespace {

TEST(HaPlan, LaunchesWhatTheTableHoldsAndDeclinesTheRest) {
  std::size_t launched = 0;
  for (const auto& tile : kTiles) {
    for (const auto& bits : kCounterBits) {
      for (const auto& scan : kWarpScans) {
        const TileShape shape = parse_tile_shape(tile.word, bits.word, scan.word);
        const bool has_kernels = std::ranges::find(kTileShapes, shape) != kTileShapes.end();
        const auto reason = declines(shape);
        EXPECT_EQ(reason.has_value(), !has_kernels) << tile.word << ' ' << bits.word << ' ' << scan.word;
        if (reason) {
          EXPECT_FALSE(reason->empty());
        }
        launched += has_kernels ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(launched, kTileShapes.size());
}

TEST(HaPlan, SaysWhichShapesATileHas) {
  EXPECT_EQ(declines(parse_tile_shape("512", "64", "shuffle")),
            "tile=512 has kernels for counter_bits=32 with warp_scan=shared");
  EXPECT_EQ(
      declines(parse_tile_shape("2048", "32", "shared")),
      "tile=2048 has kernels for counter_bits=64 with warp_scan=shared: three counters of more than 1024 elements "
      "do not fit 32 bits");
}

TEST(HaPlan, ATileHoldsItsElements) {
  for (const auto& [word, tile] : kTiles) {
    const std::string elements = tile == Tile::wide ? "4096" : std::string{word};
    EXPECT_EQ(std::to_string(tile_size(tile, 4, 4).elements()), elements);
  }
  EXPECT_EQ(tile_size(Tile::wide, 8, 8).elements(), 2048);
}

TEST(HaPlan, AWordThatIsNoChoiceIsNoDefault) {
  EXPECT_THROW(parse_tile_shape("narrow", "32", "shared"), std::logic_error);
}

}  // namespace
}  // namespace sortlab::ha
