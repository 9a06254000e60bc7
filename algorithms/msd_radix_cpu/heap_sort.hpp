// Heap sort of words with values beside them: O(n log n) on any input. The fallback after bad pivots, and on processors
// without vectors.
#pragma once

#include <cstddef>
#include <utility>

namespace sortlab::msd {

template <bool values, class Word>
void heap_sort(Word* words, [[maybe_unused]] std::ptrdiff_t to_values, std::size_t n) {
  const auto exchange = [&](std::size_t a, std::size_t b) {
    std::swap(words[a], words[b]);
    if constexpr (values) {
      Word* const beside = words + to_values;
      std::swap(beside[a], beside[b]);
    }
  };
  const auto sink = [&](std::size_t root, std::size_t end) {
    for (std::size_t child = 2 * root + 1; child < end; child = 2 * root + 1) {
      if (child + 1 < end && words[child] < words[child + 1]) ++child;
      if (words[root] >= words[child]) return;
      exchange(root, child);
      root = child;
    }
  };
  for (std::size_t root = n / 2; root-- > 0;) sink(root, n);
  for (std::size_t end = n; end-- > 1;) {
    exchange(0, end);
    sink(0, end);
  }
}

}  // namespace sortlab::msd
