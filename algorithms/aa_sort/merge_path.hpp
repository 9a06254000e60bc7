// Where a merge is cut so that threads may share it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace sortlab::aa {

/// How many of the first `place` keys of the merged runs come from `a`, whose keys go before equal ones of `b`.
template <class T>
std::size_t merge_path(std::span<const T> a, std::span<const T> b, std::size_t place) {
  std::size_t low = place > b.size() ? place - b.size() : 0;
  std::size_t high = std::min(place, a.size());
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (a[middle] <= b[place - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace sortlab::aa
