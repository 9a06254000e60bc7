// The merge sort's kernels for one register width: tiles sorted in registers, runs merged in cache, and FIFOs merged.
//
// Keys are lanes: signed integers in the order of the keys (form.hpp), since narrow SIMD compares only those. A value
// is at a fixed distance from its key, the same in all scratch memory, so that one pointer locates both.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "algorithms/common/host/highway_targets.hpp"
#include "algorithms/satish_cpu_merge/plan.hpp"

namespace sortlab::satish_merge {

using int128 = __int128;

/// The greatest lane, which pads sequences that are shorter than the networks' input.
template <class Lane>
constexpr Lane kGreatest = static_cast<Lane>(~(Lane{1} << (8 * sizeof(Lane) - 1)));

/// Two sorted sequences that are merged into one, in whole steps.
template <class Lane>
struct Junction {
  const Lane* left;
  const Lane* left_end;
  const Lane* right;
  const Lane* right_end;
  Lane* out;
  Lane* out_end;
  Lane* carry;  ///< the step of elements that a merge network holds back
};

template <class Lane>
struct Kernels {
  std::size_t step;  ///< elements that a merge network takes and returns at a time
  std::size_t tile;  ///< elements of a tile, a multiple of `run`
  std::size_t run;   ///< length of the runs into which tiles are sorted, a multiple of `step`
  bool carries;      ///< junctions carry a step

  /// Sorts `count` elements, whole tiles, into runs, in place.
  void (*sort_tiles)(Lane* keys, std::size_t count, std::ptrdiff_t values);
  /// Merges neighbouring runs of `length` each (the last may be shorter, but is whole steps), `count` elements in all.
  void (*merge_runs)(const Lane* from, Lane* to, std::size_t length, std::size_t count, std::ptrdiff_t values);
  /// Merges until a side is empty or the output full. With carries, `carry` holds the elements taken before.
  void (*merge)(Junction<Lane>& junction, std::ptrdiff_t values);
};

/// Instruction sets by register width, and `scalar`, whose bit is 0.
const HighwayTargets& widths();

/// The kernels of an instruction set, by its bit, for keys with or without values of equal width. Null if this build
/// lacks them: no instruction set compares lanes of 128 bits.
template <class Lane>
const Kernels<Lane>* simd_kernels(std::int64_t target, bool pairs);
template <>
const Kernels<std::int32_t>* simd_kernels(std::int64_t target, bool pairs);
template <>
const Kernels<std::int64_t>* simd_kernels(std::int64_t target, bool pairs);

/// The 63 comparators of Batcher's odd-even merge sort of 16 elements, in order, in 10 levels.
struct Comparator {
  std::size_t low = 0;
  std::size_t high = 0;
};
constexpr std::array<Comparator, 63> batcher_network() {
  std::array<Comparator, 63> network{};
  std::size_t count = 0;
  for (std::size_t merged = 1; merged < kRows; merged *= 2) {
    for (std::size_t apart = merged; apart >= 1; apart /= 2) {
      for (std::size_t first = apart % merged; first + apart < kRows; first += 2 * apart) {
        for (std::size_t low = first; low < first + apart && low + apart < kRows; ++low) {
          if (low / (2 * merged) == (low + apart) / (2 * merged)) network[count++] = {low, low + apart};
        }
      }
    }
  }
  return network;
}

}  // namespace sortlab::satish_merge
