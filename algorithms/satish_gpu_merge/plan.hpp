// Plan of the sort, read by the sort and its model: tiles and blocks of the merge methods.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>

#include "core/choice.hpp"

namespace sortlab::gpu_merge {

/// Method that makes the first runs and merges runs.
enum class Method {
  ranks,    ///< IPDPS 2009: networks in shared memory; splitters; a binary search per element
  bitonic,  ///< Satish et al. 2010: the same runs and pieces; a bitonic network over both runs, one reversed
  path,     ///< networks in registers; pieces of equal size; one merge per thread
};
inline constexpr std::array kMethods{Choice<Method>{"ranks", Method::ranks}, Choice<Method>{"bitonic", Method::bitonic},
                                     Choice<Method>{"path", Method::path}};
/// True if splitters divide a merge into pieces; a piece then has at most a tile of either run.
constexpr bool by_splitters(Method method) {
  return method != Method::path;
}

/// Movement of values.
enum class Values {
  carried,   ///< values move with their keys
  gathered,  ///< indices move with the keys, and values are gathered at the end
};
inline constexpr std::array kValues{Choice<Values>{"carried", Values::carried},
                                    Choice<Values>{"gathered", Values::gathered}};

inline constexpr int kMinTile = 64;  ///< minimum size of a sorted tile (methods with splitters)
inline constexpr int kMaxTile = 1024;
inline constexpr int kMinPathThreads = 64;
inline constexpr int kMaxPathThreads = 512;

/// Elements per thread of the method `path`, by the width of keys: odd, so that neighbouring threads have no bank
/// conflicts.
constexpr int path_items(std::size_t key_bytes) {
  return key_bytes == 4 ? 17 : key_bytes == 8 ? 11 : 7;
}

struct Shape {
  Method method;
  std::uint32_t tile;     ///< elements of a first run, and distance between splitters
  std::uint32_t threads;  ///< threads of a block that merges
};

constexpr Shape splitters_shape(Method method, std::uint32_t tile) {
  return {.method = method, .tile = tile, .threads = tile};
}
constexpr Shape path_shape(std::uint32_t threads, std::size_t key_bytes) {
  return {
      .method = Method::path, .tile = threads * static_cast<std::uint32_t>(path_items(key_bytes)), .threads = threads};
}
/// Shape from the parameters `tile` and `threads`; each method reads one of them.
constexpr Shape make_shape(Method method, std::int64_t tile, std::int64_t threads, std::size_t key_bytes) {
  return by_splitters(method) ? splitters_shape(method, static_cast<std::uint32_t>(tile))
                              : path_shape(static_cast<std::uint32_t>(threads), key_bytes);
}

/// The reason a setting cannot be launched, or nullopt.
inline std::optional<std::string> declines(std::int64_t tile, std::int64_t threads) {
  if (!std::has_single_bit(static_cast<std::uint64_t>(tile))) return "tile must be a power of two";
  if (!std::has_single_bit(static_cast<std::uint64_t>(threads))) return "threads must be a power of two";
  return std::nullopt;
}

/// Threads of a block that sorts a tile.
constexpr std::uint32_t tile_sort_threads(const Shape& shape) {
  return by_splitters(shape.method) ? shape.tile / 2 : shape.threads;
}

/// Maximum number of elements of a piece, which is also the width of the network that merges it (bitonic).
constexpr std::uint32_t largest_piece(const Shape& shape) {
  return by_splitters(shape.method) ? 2 * shape.tile : shape.tile;
}

/// Number of merge levels for n elements: each doubles the length of the runs, from a tile on.
constexpr int levels(std::uint64_t n, std::uint32_t tile) {
  int levels = 0;
  while (std::uint64_t{tile} << levels < n) ++levels;
  return levels;
}

}  // namespace sortlab::gpu_merge
