// Segments of the tree of msd_radix_gpu, and their partition by the next digit: by formula, or by a sample of the keys.
#pragma once

#include <vector>

#include "algorithms/msd_radix_gpu/model/keys.hpp"

namespace sortlab::msd_tree {

inline constexpr std::size_t kReliable = 32;  ///< sampled keys that suffice to estimate how many they stand for
inline constexpr std::size_t kEnough = 512;   ///< sampled keys that suffice to show how a bucket's keys are distributed

/// Similar segments, whose keys follow a formula or a sample.
struct Node {
  double times = 1;
  double keys = 0;  ///< keys of each segment
  int left = 0;
  int side = 0;
  bool is_formula = false;
  Sample sample{};

  bool is_reliable() const { return sample.size() >= kReliable; }
};

/// The sub-buckets of a segment, by digit or class.
struct Part {
  double keys = 0;       ///< expected
  bool is_known = true;  ///< its keys vary little
  int left = 0;
  Sample sample{};
};

// `one`: the probability that a bit of a key is one, for segments by formula.

/// Repetition of the segment's digits of `bits` bits.
Digits digit_statistics(const Node& node, int bits, double one);
/// Adds the digits of a segment with this share of the keys.
void add_digits(Digits& to, const Digits& of, double share);
/// Probability that two keys have the same digit, over all sampled segments.
double typical_equal(const std::vector<Node>& nodes, int digit_bits);

/// Number of bits up to the highest one in which keys of a segment differ.
int differing_bits(const Node& node, double one);
/// The parts of a segment by its next digit.
std::vector<Part> split_parts(const Node& node, int digit_bits, double typical, double one);
/// True if one part has all keys.
bool is_whole(const Node& node, const std::vector<Part>& parts);

/// The parts of a segment as segments; similar ones are joined.
std::vector<Node> split_nodes(const Node& parent, const std::vector<Part>& parts, int side);
/// Joins segments by formula that have about the same size.
std::vector<Node> joined(const std::vector<Node>& nodes);

}  // namespace sortlab::msd_tree
