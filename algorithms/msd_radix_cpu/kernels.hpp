// The kernels of one instruction set: range and digits of words, and sorting in cache.
//
// A word is a key in unsigned order, or a 32-bit key above its 32-bit value. Other values lie a fixed distance (in
// words) from their words, which is the same in all scratch memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/common/host/highway_targets.hpp"
#include "algorithms/msd_radix_cpu/digit_map.hpp"
#include "algorithms/msd_radix_cpu/gather.hpp"

namespace sortlab::msd {

/// The result of a partition by a pivot. Words before `less` and words from `below` on are still to be sorted, each
/// part by itself. The words between are in place.
struct Parts {
  std::size_t less;
  std::size_t below;
};

/// Free memory for a partition: words up to the pivot fill it from the beginning, the others from the end.
template <class Word>
struct Room {
  Word* words;
  std::ptrdiff_t to_values;
  std::size_t n;
};

/// For two segments, the number of words up to the pivot, which lie at the beginning of each.
struct Below {
  std::size_t left;
  std::size_t right;
};

template <class Word>
struct Kernels {
  std::size_t small;  ///< maximum number of elements for a sorting network

  Range<Word> (*range)(const Word* words, std::size_t n);
  /// Computes the digit of each word.
  void (*digits)(const Word* words, std::size_t n, const Digits<Word>& map, std::uint16_t* digits);
  /// Appends n elements to the buffers of their digits.
  void (*append)(const DigitBuffers<Word>& buffers, const Word* words, const Word* values, const std::uint16_t* digits,
                 std::size_t n);
  void (*count)(const std::uint16_t* digits, std::size_t n, std::uint32_t* counts);
  /// Moves each element to its digit's next place.
  void (*scatter)(const Word* words, std::ptrdiff_t words_to_values, const std::uint16_t* digits, std::size_t n,
                  std::uint32_t* next, Word* to, std::ptrdiff_t to_values);
  /// Partitions n words by a pivot among them; n is more than `small`.
  Parts (*part)(Word* words, std::ptrdiff_t to_values, std::size_t n);
  /// Partitions two segments, the first below the second, by a pivot: words up to it fill the first segment, then the
  /// beginning of the second.
  Below (*part_apart)(Word* left, std::size_t n_left, Word* right, std::size_t n_right, std::ptrdiff_t to_values,
                      Word pivot);
  /// Partitions n elements into free memory: see Room.
  void (*part_into)(const Word* words, std::ptrdiff_t to_values, std::size_t n, Word pivot, Room<Word>& room);
  /// Sorts n elements in place.
  void (*sort)(Word* words, std::ptrdiff_t to_values, std::size_t n);
  /// Copies n 64-bit words, less `low`, to 32-bit words; sorts those; and back. The 32-bit words may lie in the second
  /// half of the 64-bit words' memory. Null for other words.
  void (*narrow)(const Word* words, std::size_t n, Word low, std::uint32_t* to) = nullptr;
  void (*sort_narrowed)(std::uint32_t* words, std::size_t n) = nullptr;
  void (*widen)(const std::uint32_t* words, std::size_t n, Word low, Word* to) = nullptr;
  /// Sorts few elements in place. Returns at once if they are in order or reversed.
  void (*sort_few)(Word* words, std::ptrdiff_t to_values, std::size_t n);
  /// Sorts `count` neighbouring runs in place, run i ending before ends[i]. With values, no word may have the greatest
  /// value possible.
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
