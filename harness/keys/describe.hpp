// A description of a file of keys: what decides how fast which sort is on it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "generators/key_file.hpp"

namespace sortlab {

/// A share or a number, with the half width of its 95 % interval: 0 if it is exact.
struct Estimate {
  double value = 0;
  double error = 0;
};

/// A synthetic distribution, and how far the file is from it: the largest of three differences from 0 (alike) to 1
/// (nothing in common).
struct Likeness {
  std::string distribution;
  double distance = 1;
  double digits = 1;  ///< largest total variation distance of an 8-bit digit
  double order = 1;   ///< difference of the shares of descents, twice
  double equal = 1;   ///< difference of the shares of distinct keys in a sample
};

struct KeyDescription {
  KeyFile file;
  std::string name;  ///< the file's, and its column's
  std::string smallest;
  std::string largest;
  std::vector<double> bit_shares;       ///< share of ones, highest bit first, of the patterns whose order is the keys'
  std::vector<double> bit_entropies;    ///< entropies of these shares
  std::vector<double> digit_entropies;  ///< entropies of 8-bit digits, highest first
  Estimate distinct;
  Estimate most_frequent;  ///< share of the most frequent key
  std::uint64_t runs = 0;  ///< ascending runs
  double descents = 0;     ///< share of neighbours whose second key is smaller
  double repeats = 0;      ///< share of neighbours with equal keys
  Estimate inversions;     ///< share of all pairs of keys that are in the wrong order
  std::uint64_t nan = 0;
  std::uint64_t infinite = 0;
  std::uint64_t zeros = 0;            ///< float zeros of either sign
  std::vector<Likeness> nearest;      ///< nearest first
  std::vector<double> quantiles;      ///< 257 of them, as numbers
  std::vector<double> over_position;  ///< ranks of the keys at evenly spread positions, as shares of n

  std::size_t varying_bits() const;
};

/// Reads a file once, by all processors, and describes its keys. Throws BadInput, as open_key_file() does.
KeyDescription describe_keys(const KeyFileName& name);

/// Distances of synthetic distributions from a file's keys, nearest first, without those that cannot make such an
/// input.
std::vector<Likeness> find_likeness(const KeyFile& file, const std::vector<std::string>& distributions);

nlohmann::ordered_json to_json(const KeyDescription&);
/// Lines for people.
std::string description_text(const KeyDescription&);

}  // namespace sortlab
