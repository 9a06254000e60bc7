// The gaps of comb sort.
#pragma once

#include <cstddef>

namespace sortlab::aa {

/// The gap after `gap`, in vectors: smaller by the factor 1.28.
constexpr std::size_t next_gap(std::size_t gap) {
  return gap * 25 / 32;
}

/// The first gap for m vectors of `lanes`: a quarter of the keys, shrunk once. With four lanes the first gap is then
/// within a column, as in the paper. With more lanes, such short first gaps leave keys too far from their places, and
/// thousands of final passes follow.
constexpr std::size_t first_gap(std::size_t m, std::size_t lanes) {
  return next_gap(lanes > 4 ? lanes / 4 * m : m);
}

}  // namespace sortlab::aa
