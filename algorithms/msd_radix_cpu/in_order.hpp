// How far words are in order, as one instruction set finds out.
#pragma once

#include <cstddef>

namespace sortlab::msd {

/// How many of n words from the first on are in order: 1 to n.
template <class Word>
struct InOrder {
  std::size_t (*ascending)(const Word* words, std::size_t n);
  std::size_t (*descending)(const Word* words, std::size_t n);
};

}  // namespace sortlab::msd
