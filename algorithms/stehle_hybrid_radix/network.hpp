// Sorting network with which a thread sorts its digits (section 4.3).
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "core/host_device.hpp"

namespace sortlab::hybrid_radix {

/// The 25 comparators for nine keys (Floyd; the minimum): pairs of positions, the smaller key goes to the first.
struct Comparator {
  int low;
  int high;
};
inline constexpr Comparator kNetwork[]{{0, 3}, {1, 7}, {2, 5}, {4, 8}, {0, 7}, {2, 4}, {3, 8}, {5, 6}, {0, 2},
                                       {1, 3}, {4, 5}, {7, 8}, {1, 4}, {3, 6}, {5, 7}, {0, 1}, {2, 4}, {3, 5},
                                       {6, 8}, {2, 3}, {4, 5}, {6, 7}, {1, 2}, {3, 4}, {5, 6}};

template <class T>
SORTLAB_HOST_DEVICE void compare_exchange(T& low, T& high) {
  const T smaller = low < high ? low : high;
  high = low < high ? high : low;
  low = smaller;
}

/// Every position is a constant, so that the keys stay in registers.
template <class T>
SORTLAB_HOST_DEVICE void sort_nine(T* keys) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (compare_exchange(keys[std::integral_constant<int, kNetwork[i].low>::value],
                      keys[std::integral_constant<int, kNetwork[i].high>::value]),
     ...);
  }
  (std::make_index_sequence<std::size(kNetwork)>{});
}

}  // namespace sortlab::hybrid_radix
