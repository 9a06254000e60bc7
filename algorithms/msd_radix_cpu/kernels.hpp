// What the sort asks of one instruction set: the range and the digits of words, and sorting them in cache.
//
// A word is a key in unsigned order, or a 32-bit key with its 32-bit value below it; other values lie a fixed distance
// (in words) from their words, the same in all scratch memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/common/host/highway_targets.hpp"
#include "algorithms/msd_radix_cpu/digit_map.hpp"
#include "algorithms/msd_radix_cpu/gather.hpp"
#include "algorithms/msd_radix_cpu/in_order.hpp"

namespace sortlab::msd {

/// What a partition by a pivot leaves: words before `less` and words from `below` on, to be sorted by themselves, and
/// between them what is where it belongs.
struct Parts {
  std::size_t less;
  std::size_t below;
};

/// Free memory that words up to a pivot fill from its beginning, the others from its end.
template <class Word>
struct Room {
  Word* words;
  std::ptrdiff_t to_values;
  std::size_t n;
};

/// How many words up to a pivot lie at the beginning of either of two stretches.
struct Below {
  std::size_t left;
  std::size_t right;
};

template <class Word>
struct Kernels {
  std::size_t small;  ///< elements that a sorting network takes, at most

  Range<Word> (*range)(const Word* words, std::size_t n);
  /// One digit a word.
  void (*digits)(const Word* words, std::size_t n, const Digits<Word>& map, std::uint16_t* digits);
  /// Appends n elements to the buffers of their digits.
  void (*append)(const DigitBuffers<Word>& buffers, const Word* words, const Word* values, const std::uint16_t* digits,
                 std::size_t n);
  /// Adds the digits' counts to two tables, the sum of which counts.
  void (*count)(const std::uint16_t* digits, std::size_t n, std::uint32_t* counts, std::uint32_t* more_counts);
  /// Moves each element to its digit's next place.
  void (*scatter)(const Word* words, std::ptrdiff_t words_to_values, const std::uint16_t* digits, std::size_t n,
                  std::uint32_t* next, Word* to, std::ptrdiff_t to_values);
  InOrder<Word> in_order;
  /// Parts n words by a pivot among them; n is more than `small`.
  Parts (*part)(Word* words, std::ptrdiff_t to_values, std::size_t n);
  /// Parts two stretches, the first of them below the other, by a pivot: words up to it go to the first as long as it
  /// has room, and to the beginning of the other then.
  Below (*part_apart)(Word* left, std::size_t n_left, Word* right, std::size_t n_right, std::ptrdiff_t to_values,
                      Word pivot);
  /// Parts n elements into free memory: see Room.
  void (*part_into)(const Word* words, std::ptrdiff_t to_values, std::size_t n, Word pivot, Room<Word>& room);
  /// Sorts in place.
  void (*sort)(Word* words, std::ptrdiff_t to_values, std::size_t n);
  /// The same of few elements, which are done at once if they are in order or in reverse.
  void (*sort_few)(Word* words, std::ptrdiff_t to_values, std::size_t n);
  /// Sorts `count` neighbouring runs in place, run i ending before ends[i]. With values no word may be the greatest
  /// that there is.
  void (*sort_runs)(Word* words, std::ptrdiff_t to_values, const std::uint32_t* ends, std::size_t count);
};

/// The instruction sets that this build holds.
const HighwayTargets& targets();

/// The kernels of one of them, by Highway's bit; with values as wide as words, or without.
template <class Word>
const Kernels<Word>& kernels_for(std::int64_t target, bool values);
template <>
const Kernels<std::uint32_t>& kernels_for(std::int64_t target, bool values);
template <>
const Kernels<std::uint64_t>& kernels_for(std::int64_t target, bool values);

}  // namespace sortlab::msd
