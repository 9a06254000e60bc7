// Tree of an input (algorithms/msd_radix_gpu/README.md): the segments of each level and the buckets that they leave, by
// the sort's own rules (plan.hpp) applied to expected sizes. Digits of independent bits follow a formula; all other
// digits, and segments divided by splitters, follow a sorted sample of the keys.
//
// If a sample holds too few keys of a sub-bucket, the sub-bucket takes its siblings' mean size, with noise from a fixed
// seed. So the model walks through a tree that the sort may meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/msd_radix_gpu/plan.hpp"
#include "core/key_types.hpp"

namespace sortlab::msd_tree {

/// Distribution of a block's keys, as the probes make them.
enum class Keys : std::uint8_t {
  even,    ///< about one key in each bin
  uneven,  ///< cut by a sample
  equal,   ///< all in one bin, and in order
};

struct Problem {
  std::uint64_t n = 0;
  std::uint32_t key_bytes = 4;
  std::uint32_t value_bytes = 0;
  int multiprocessors = 1;
  msd_gpu::Plan plan{};
};

/// Shares of keys, or of blocks, by their distribution.
struct Kinds {
  double even = 0, uneven = 0, equal = 0;
};

/// Buckets of a list (msd_gpu::kLists).
struct Buckets {
  int list = 0;
  Kinds kinds;  ///< shares of the buckets
  double buckets = 0;
  double keys = 0;          ///< in all of them
  double long_buckets = 0;  ///< buckets of kCounted with more keys than counters of four bits take
  double long_keys = 0;
};

/// Runs of keys with few bits left, counted by all blocks.
struct Tables {
  Kinds kinds;
  double tables = 0;
  double keys = 0;
};

/// Repetition of digits.
struct Digits {
  double equal = 0;    ///< probability that two keys have the same digit
  double most = 0;     ///< share of the most frequent digit
  double hottest = 0;  ///< share of the most frequent digit of 8 independent bits with as many equal pairs
  /// Digits drawn with the frequencies of the keys, for one segment or several; none if bits are independent.
  std::vector<std::vector<std::uint32_t>> drawn{};
};

/// A level after the top ones.
struct Level {
  double segments = 0;        ///< segments that are counted
  double split_segments = 0;  ///< counted segments with splitters
  double keys = 0;            ///< keys that are counted
  double split_keys = 0;      ///< counted keys in segments with splitters
  double moved = 0;           ///< keys
  double copied = 0;          ///< keys
  double filled = 0;          ///< keys
  Digits digits{};            ///< digits of segments without splitters
};

struct Tree {
  // one block, one level
  Kinds kinds;                ///< shares of the keys
  bool is_split = false;      ///< classes lie between splitters
  double copied_classes = 0;  ///< classes of equal keys that fill a window
  // wide, partitions
  bool skips_top = false;  ///< all keys are a segment with splitters
  Digits top{};            ///< top digits, which are counted
  Digits first{};          ///< digits of the first partition
  Digits second{};         ///< digits of the second partition, within a segment
  double first_moved = 0;  ///< keys
  double second_moved = 0;
  double top_segments = 0;  ///< segments of the second level
  std::vector<Level> levels;
  std::vector<Buckets> buckets;
  Tables tables;
};

/// Tree of keys with independent bits, each one with probability `one`.
Tree of_bits(const Problem& problem, double one);

/// Tree of any input, from `sorted`: all its keys in order, or a sample of them.
Tree of_trace(const Problem& problem, std::span<const uint128> sorted);

}  // namespace sortlab::msd_tree
