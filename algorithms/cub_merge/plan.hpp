// Launches of CUB's merge sort according to its policy, read by its model: 256 threads of 17 4-byte words.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sortlab::cub_merge_sort {

inline constexpr std::uint64_t kThreads = 256;  ///< threads of a block

/// Number of elements that a block sorts, or merges from two runs.
constexpr std::uint64_t tile_elements(std::size_t key_bytes) {
  return kThreads * (17 * std::uint64_t{4} / key_bytes);
}

/// Number of merge levels for n elements: each doubles the length of the runs, from a tile on.
constexpr int levels(std::uint64_t n, std::uint64_t tile) {
  int levels = 0;
  while (tile << levels < n) ++levels;
  return levels;
}

}  // namespace sortlab::cub_merge_sort
