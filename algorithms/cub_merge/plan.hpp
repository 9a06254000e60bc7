// What CUB's merge sort launches, as its policy says: 256 threads of 17 words of 4 bytes. Its model reads it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sortlab::cub_merge_sort {

inline constexpr std::uint64_t kThreads = 256;  ///< of a block

/// Elements of a block, which sorts them, or merges as many from two runs.
constexpr std::uint64_t tile_of(std::size_t key_bytes) {
  return kThreads * (17 * std::uint64_t{4} / key_bytes);
}

/// Levels of merges over n elements: each doubles the runs, from a tile on.
constexpr int levels(std::uint64_t n, std::uint64_t tile) {
  int levels = 0;
  while (tile << levels < n) ++levels;
  return levels;
}

}  // namespace sortlab::cub_merge_sort
