// What the sort launches and its model charges, where it differs from ha_implicit_radix: a pass of one split, and
// smaller wide tiles.
#pragma once

#include "algorithms/ha_implicit_radix/plan.hpp"

namespace sortlab::ha::four_way {

inline constexpr int kSplits = 1;
inline constexpr int kDigitBits = kSplits * kSplitBits;

/// Elements of a thread, whatever their width.
inline constexpr int kWideItems = 8;
constexpr int items_of(bool wide) {
  return wide ? kWideItems : kPaperItems;
}

}  // namespace sortlab::ha::four_way
