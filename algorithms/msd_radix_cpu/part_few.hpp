// Scalar partition, for fewer words than a register holds and for processors without vectors.
#pragma once

#include <cstddef>
#include <utility>

namespace sortlab::msd {

/// Moves words up to a pivot before the others; returns their number.
template <bool values, class Word>
std::size_t part_few(Word* words, [[maybe_unused]] std::ptrdiff_t to_values, std::size_t n, Word pivot) {
  std::size_t below = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool goes_below = words[i] <= pivot;
    std::swap(words[i], words[below]);
    if constexpr (values) std::swap((words + i)[to_values], (words + below)[to_values]);
    below += goes_below ? 1 : 0;
  }
  return below;
}

}  // namespace sortlab::msd
