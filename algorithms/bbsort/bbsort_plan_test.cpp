// Checks the host's packing: slices are packed in order, greedily, and oversized ones stay separate.
#include <gtest/gtest.h>

#include <vector>

#include "algorithms/bbsort/plan.hpp"

namespace sortlab::bbsort {
namespace {

struct Packing {
  std::vector<std::uint32_t> starts;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> buckets;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> oversized;
};

Packing packed(const std::vector<std::uint32_t>& counts, std::uint32_t bucket) {
  Packing packing;
  packing.starts.resize(counts.size());
  pack(
      counts.data(), static_cast<std::uint32_t>(counts.size()), bucket,
      [&](std::uint32_t slice, std::uint32_t at) { packing.starts[slice] = at; },
      [&](const Bucket& b) { packing.buckets.emplace_back(b.begin, b.count); },
      [&](const Bucket& b) { packing.oversized.emplace_back(b.begin, b.count); });
  return packing;
}

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(BbSortPlan, PacksNeighboursGreedily) {
  const Packing packing = packed({30, 40, 40, 0, 50, 10}, 100);
  EXPECT_EQ(packing.starts, (std::vector<std::uint32_t>{0, 30, 70, 110, 110, 160}));
  EXPECT_EQ(packing.buckets, (Pairs{{0, 70}, {70, 100}}));
  EXPECT_TRUE(packing.oversized.empty());
}

TEST(BbSortPlan, AnOversizedSliceStaysApart) {
  const Packing packing = packed({30, 101, 40, 100, 500}, 100);
  EXPECT_EQ(packing.starts, (std::vector<std::uint32_t>{0, 30, 131, 171, 271}));
  EXPECT_EQ(packing.buckets, (Pairs{{0, 30}, {131, 40}, {171, 100}}));
  EXPECT_EQ(packing.oversized, (Pairs{{30, 101}, {271, 500}}));
}

TEST(BbSortPlan, EmptySlicesMakeNoBucket) {
  const Packing packing = packed({0, 0, 7, 0, 0}, 100);
  EXPECT_EQ(packing.buckets, (Pairs{{0, 7}}));
  EXPECT_TRUE(packed({0, 0}, 100).buckets.empty());
}

}  // namespace
}  // namespace sortlab::bbsort
