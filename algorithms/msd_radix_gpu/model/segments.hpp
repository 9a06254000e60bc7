// Segments of the tree of msd_radix_gpu, and what their next digit makes of them: by formula, or by a sample of the
// keys.
#pragma once

#include <vector>

#include "algorithms/msd_radix_gpu/model/keys.hpp"

namespace sortlab::msd_tree {

inline constexpr std::size_t kReliable = 32;  ///< sampled keys that suffice to estimate how many they stand for
inline constexpr std::size_t kEnough = 512;   ///< sampled keys that tell how those of a bucket lie

/// Segments that are alike. Keys by formula, or by a sample.
struct Node {
  double times = 1;
  double keys = 0;  ///< of each
  int left = 0;
  int side = 0;
  bool is_formula = false;
  Sample sample{};

  bool is_told() const { return sample.size() >= kReliable; }
};

/// The sub-buckets of a segment, by digit or class.
struct Part {
  double keys = 0;       ///< expected
  bool is_known = true;  ///< its keys vary little
  int left = 0;
  Sample sample{};
};

// `ands`: of keys by formula, as of_bits takes it.

/// How digits of `bits` bits repeat.
Digits digits_of(const Node& node, int bits, int ands);
/// Adds those of a segment with such a share of the keys.
void add_digits(Digits& to, const Digits& of, double share);
/// The chance that two keys have the same digit, in all segments of which the sample says little.
double typical_equal(const std::vector<Node>& nodes, int digit_bits);

/// Bits up to the highest in which keys of a segment differ.
int differing_bits(const Node& node, int ands);
/// The parts of a segment by its next digit.
std::vector<Part> parts_of(const Node& node, int digit_bits, double typical, int ands);
/// Whether one part has all keys.
bool is_whole(const Node& node, const std::vector<Part>& parts);

/// The parts of a segment as segments, those that are alike as one.
std::vector<Node> nodes_of(const Node& parent, const std::vector<Part>& parts, int side);
/// Segments by formula, those of about the same size as one.
std::vector<Node> joined(const std::vector<Node>& nodes);

}  // namespace sortlab::msd_tree
