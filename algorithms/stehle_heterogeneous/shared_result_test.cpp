#include "algorithms/stehle_heterogeneous/shared_result.hpp"

#include <gtest/gtest.h>

namespace sortlab::heterogeneous {
namespace {

TEST(SharedResult, IsOneForAllSortersOfASize) {
  const auto first = SharedResult::of(4096, 8192, PageKind::small);
  EXPECT_EQ(first->keys.size(), 4096U);
  EXPECT_EQ(first->values.size(), 8192U);
  EXPECT_EQ(SharedResult::of(4096, 8192, PageKind::small), first);
}

TEST(SharedResult, IsAnotherOfAnotherSizeAndPageKind) {
  const auto first = SharedResult::of(4096, 0, PageKind::small);
  const auto wider = SharedResult::of(8192, 0, PageKind::small);
  EXPECT_NE(wider, first);
  EXPECT_EQ(wider->keys.size(), 8192U);
  EXPECT_EQ(first->keys.size(), 4096U);  // valid as long as its sorters live
  EXPECT_NE(SharedResult::of(8192, 0, PageKind::huge), wider);
}

TEST(SharedResult, GoesWithTheLastSorter) {
  auto held = SharedResult::of(4096, 0, PageKind::small);
  const std::weak_ptr<const SharedResult> seen = held;
  held.reset();
  EXPECT_TRUE(seen.expired());
}

}  // namespace
}  // namespace sortlab::heterogeneous
