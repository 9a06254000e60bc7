// The prefix tree of the hybrid radix sort (family D): how many keys each counting pass partitions, in how many buckets
// and blocks, and which buckets it leaves to the local sorts, by size and remaining bits. By formula where the bits of
// a key are independent, by a trace of the input otherwise; the rules are the sort's (algorithms/stehle_hybrid_radix/
// plan.hpp), merging of neighbours included.
//
// Counts are expected values. A bucket of mean size m holds m keys with a standard deviation of √m, so of the buckets
// near a threshold a share lies above it: predictions change gradually there, not in a step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/stehle_hybrid_radix/plan.hpp"
#include "core/key_types.hpp"

namespace sortlab::hybrid_buckets {

/// Buckets of one size class that a pass lists to be sorted locally.
struct Local {
  int size_class = 0;  ///< index into hybrid_radix::local_size_classes
  int bits = 0;        ///< bits left to sort by
  double buckets = 0;
  double keys = 0;  ///< in all of them
  /// The remaining bits as if independent, each one with this probability, at most 1/2. For a trace, the probability
  /// that gives two keys equal next digits as often as observed.
  double ones = 0.5;
};

/// One counting pass.
struct Pass {
  double keys = 0;  ///< keys that it partitions
  double buckets = 0;
  double blocks = 0;   ///< each bucket's last is not full
  double hottest = 0;  ///< share of the keys of a bucket that have its most frequent digit
  double hot = 0;      ///< share of the keys in blocks where a digit has more than a third (the look-ahead's condition)
  std::vector<Local> local;  ///< local sorts, by class and bits
  double merged = 0;         ///< buckets that consist of more than one sub-bucket

  double listed() const;      ///< buckets in `local`
  double local_keys() const;  ///< keys in `local`
};

/// The passes. The last one lists nothing: after it all keys are in order.
struct Tree {
  std::vector<Pass> passes;
  std::vector<Local> whole;  ///< the input, where it is one local sort
};

/// Properties of a problem that determine its tree.
struct Problem {
  double n = 0;
  std::uint32_t key_bytes = 4;
  std::uint32_t value_bytes = 0;
  hybrid_radix::Settings settings;
  hybrid_radix::Passes passes() const { return {static_cast<int>(8 * key_bytes), settings.digit_bits}; }
};

/// Tree of keys with independent bits, each one with probability `one`: 1/2 for uniform keys, 2^-(t+1) for t ANDs, 0
/// for equal keys. The size of a bucket goes by the number of ones in its prefix.
Tree of_bits(const Problem& problem, double one);

/// Tree of any input, from `sorted`: all of its keys in order, or a sample of them. Where a bucket holds only a few
/// sampled keys, its digits are assumed to spread like those of independent bits with the same collision probability.
Tree of_trace(const Problem& problem, std::span<const uint128> sorted);

}  // namespace sortlab::hybrid_buckets
