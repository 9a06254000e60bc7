// The sortedness check of one instruction set.
#pragma once

#include <cstddef>

namespace sortlab::msd {

/// The length of the ordered prefix of n words: 1 to n.
template <class Word>
struct InOrder {
  std::size_t (*ascending)(const Word* words, std::size_t n);
  std::size_t (*descending)(const Word* words, std::size_t n);
};

}  // namespace sortlab::msd
