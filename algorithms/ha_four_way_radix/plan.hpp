// Plan of the sort, read by the sort and its model, where it differs from ha_implicit_radix: one split per pass, and
// smaller wide tiles.
#pragma once

#include "algorithms/common/cuda/counting_pass/plan.hpp"

namespace sortlab::ha::four_way {

inline constexpr int kSplits = 1;
inline constexpr int kDigitBits = kSplits * kSplitBits;

/// Elements per thread, for elements of any width.
inline constexpr int kWideItems = 8;
constexpr int tile_items(bool wide) {
  return wide ? kWideItems : kPaperItems;
}

}  // namespace sortlab::ha::four_way
