// Merge path: divides a merge into independent parts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

namespace sortlab {

/// Number of the first `place` elements of the merged output that come from `a`. Elements of `a` go before equal ones
/// of `b` (Odeh et al., "Merge Path", 2012).
template <class T, class Less = std::less<>>
std::size_t merge_path(std::span<const T> a, std::span<const T> b, std::size_t place, Less less = {}) {
  std::size_t low = place > b.size() ? place - b.size() : 0;
  std::size_t high = std::min(place, a.size());
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (less(b[place - 1 - middle], a[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace sortlab
