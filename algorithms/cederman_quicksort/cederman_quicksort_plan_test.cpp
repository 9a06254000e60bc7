// Checks bounds and midpoints on which the sort's host code relies.
#include <gtest/gtest.h>

#include <limits>

#include "algorithms/cederman_quicksort/plan.hpp"

namespace sortlab::gpu_quicksort {
namespace {

TEST(CedermanQuicksortPlan, MidpointDoesNotOverflow) {
  constexpr auto max = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(midpoint<std::uint64_t>(max - 1, max), max - 1);
  EXPECT_EQ(midpoint<std::uint64_t>(0, max), max / 2);
  EXPECT_EQ(midpoint<std::uint32_t>(5, 5), 5U);
}

TEST(CedermanQuicksortPlan, BlocksOfALevelHaveRoom) {
  for (const std::uint32_t blocks : {16U, 512U, 4096U}) {
    for (const std::uint32_t threads : {64U, 512U}) {
      const Shape shape{.threads = threads, .blocks = blocks, .small = 64};
      const std::uint64_t max = wanted_sequences(shape) - 1;
      for (std::uint64_t total = 100; total < 100'000'000; total = total * 21 / 20) {
        // The number of blocks is largest for one long sequence and as many others as possible with one block each.
        const std::uint64_t share = block_share(total, shape);
        EXPECT_LE(blocks_of_sequence(total, share) + max, max_blocks(shape)) << total;
      }
      EXPECT_LE(2 * max, max_sequences(shape));
    }
  }
}

TEST(CedermanQuicksortPlan, PhaseOneLeavesWhatABitonicSortTakes) {
  const Shape shape{.threads = 128, .blocks = 512, .small = 512};
  EXPECT_EQ(shortest_partitioned(1000, shape), 513U);
  EXPECT_EQ(shortest_partitioned(1 << 24, shape), (1U << 24) / 256 / 4);
}

}  // namespace
}  // namespace sortlab::gpu_quicksort
