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
        if (reason) EXPECT_FALSE(reason->empty());
        launched += has_kernels ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(launched, kTileShapes.size());
}

TEST(HaPlan, AWordThatIsNoChoiceIsNoDefault) {
  EXPECT_THROW(parse_tile_shape("narrow", "32", "shared"), std::logic_error);
}

}  // namespace
}  // namespace sortlab::ha
