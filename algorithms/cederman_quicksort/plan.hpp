// Plan of the sort, read by the sort and its model: the end of phase one, and the division of its sequences among
// blocks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>

namespace sortlab::gpu_quicksort {

inline constexpr int kMinThreads = 64;
inline constexpr int kMaxThreads = 512;
inline constexpr int kMinBlocks = 16;
inline constexpr int kMaxBlocks = 16384;
inline constexpr int kMinSmall = 64;
inline constexpr int kMaxSmall = 1024;
/// Capacity of a block's stack: the longer part is pushed first, so that each entry is at most half as long as the one
/// below.
inline constexpr std::uint32_t kStack = 64;

struct Shape {
  std::uint32_t threads;  ///< threads of a block, a power of two
  std::uint32_t blocks;   ///< number of blocks; phase one ends at half as many sequences
  std::uint32_t small;    ///< maximum number of elements of a bitonic sort in shared memory
};

inline Shape make_shape(std::int64_t threads, std::int64_t blocks, std::int64_t small) {
  return {.threads = static_cast<std::uint32_t>(threads),
          .blocks = static_cast<std::uint32_t>(blocks),
          .small = static_cast<std::uint32_t>(small)};
}

/// The reason a setting cannot be launched, or nullopt.
inline std::optional<std::string> declines(std::int64_t threads) {
  if (!std::has_single_bit(static_cast<std::uint64_t>(threads))) return "threads must be a power of two";
  return std::nullopt;
}

/// Number of sequences at which phase one ends.
constexpr std::uint64_t wanted_sequences(const Shape& shape) {
  return shape.blocks / 2;
}

/// Minimum length of a sequence that phase one partitions (in the released code a quarter of each sequence's share).
inline std::uint64_t shortest_partitioned(std::uint64_t n, const Shape& shape) {
  return std::max<std::uint64_t>(n / wanted_sequences(shape) / 4, shape.small + std::uint64_t{1});
}

/// Elements per block at a level that partitions `total` elements; the last block of a sequence takes the remainder.
inline std::uint64_t block_share(std::uint64_t total, const Shape& shape) {
  return std::max<std::uint64_t>(total / wanted_sequences(shape), shape.threads);
}
inline std::uint64_t blocks_of_sequence(std::uint64_t length, std::uint64_t share) {
  return std::max<std::uint64_t>(length / share, 1);
}

/// Maximum number of sequences, and of blocks, of a level: fewer than the wanted sequences are partitioned, each into
/// two; a block's share is rounded down and a sequence's blocks are rounded up to one.
constexpr std::uint64_t max_sequences(const Shape& shape) {
  return 2 * wanted_sequences(shape) + 2;
}
constexpr std::uint64_t max_blocks(const Shape& shape) {
  return 3 * wanted_sequences(shape);
}

/// Number of elements that fit in a block's shared memory, with values aligned.
constexpr std::uint32_t small_room(std::uint32_t small) {
  return (small + 3) / 4 * 4;
}

/// The mean of two keys as unsigned integers, rounded down, without overflow.
template <class Word>
constexpr Word midpoint(Word low, Word high) {
  return static_cast<Word>(low + (high - low) / 2);
}

}  // namespace sortlab::gpu_quicksort
