// What msd_radix_gpu does with an input (algorithms/msd_radix_gpu/README.md): which segments its levels have, and which
// buckets they leave, by the sort's own rules (plan.hpp) applied to expected sizes. Digits of independent bits by
// formula; all else, and what is divided by splitters, by a sorted sample of the keys.
//
// Where a sample says little of the size of a sub-bucket, it is that of the others like it, give or take chance, drawn
// from a fixed seed; so the model walks through a tree such as the sort may meet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/msd_radix_gpu/plan.hpp"
#include "core/key_types.hpp"

namespace sortlab::msd_tree {

/// How a block meets its keys: as its probes make them.
enum class Keys : std::uint8_t {
  even,    ///< about one in a bin
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

/// Shares of keys, or of blocks, by how they are met.
struct Kinds {
  double even = 0, uneven = 0, equal = 0;
};

/// Buckets of a list (msd_gpu::kLists).
struct Buckets {
  int list = 0;
  Kinds kinds;  ///< shares of the buckets
  double buckets = 0;
  double keys = 0;          ///< in all of them
  double long_buckets = 0;  ///< of them those of kCounted that are longer than its counters of four bits take
  double long_keys = 0;
};

/// Runs of keys with few bits left, counted by all blocks.
struct Tables {
  Kinds kinds;
  double tables = 0;
  double keys = 0;
};

/// How digits repeat.
struct Digits {
  double equal = 0;    ///< the chance that two keys have the same
  double most = 0;     ///< share of the most frequent
  double hottest = 0;  ///< of 8 independent bits with as many equal pairs: the share of their most frequent digit
  /// Some that are as frequent as those of the keys, of a segment or of several; none of independent bits.
  std::vector<std::vector<std::uint32_t>> drawn{};
};

/// A level after the top ones.
struct Level {
  double segments = 0;        ///< that are counted
  double split_segments = 0;  ///< of them those with splitters
  double keys = 0;            ///< that are counted
  double split_keys = 0;      ///< of them those in segments with splitters
  double moved = 0;           ///< keys
  double copied = 0;          ///< keys
  double filled = 0;          ///< keys
  Digits digits{};            ///< of segments without splitters
};

struct Tree {
  // one block, one level
  Kinds kinds;                ///< of the keys
  bool is_split = false;      ///< classes lie between splitters
  double copied_classes = 0;  ///< of equal keys that fill a window
  // wide, partitions
  bool skips_top = false;  ///< all keys are a segment with splitters
  Digits top{};            ///< that are counted
  Digits first{};          ///< of the first partition
  Digits second{};         ///< of the second, in a segment
  double first_moved = 0;  ///< keys
  double second_moved = 0;
  double top_segments = 0;  ///< of the second level
  std::vector<Level> levels;
  std::vector<Buckets> buckets;
  Tables tables;
};

/// Keys with independent bits, each one with chance 2^-(ands + 1); no bit where `ands` is negative.
Tree of_bits(const Problem& problem, int ands);

/// Of any input, from `sorted`: all its keys in order, or a sample of them.
Tree of_trace(const Problem& problem, std::span<const uint128> sorted);

}  // namespace sortlab::msd_tree
