// The contract of an input distribution: one file per family, which registers itself.
//
// The same (distribution, parameters, key type, n, seed) gives the same bytes on every machine and for any number of
// threads: keys come from a counter-based generator (Random123 Philox), element by element, without libm and without
// contracted multiply-adds in the path of an element.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/key_types.hpp"
#include "core/parameters.hpp"

namespace sortlab {

struct DistributionInfo {
  std::string name;    ///< the plain name: uniform, thearling, staggered
  std::string title;   ///< a line for people
  std::string source;  ///< paper and section that define it
  std::vector<Parameter> parameters;
};

/// What input to make.
struct Input {
  KeyType key = KeyType::u32;
  std::uint64_t n = 0;  ///< elements
  std::uint64_t seed = 1;
  Parameters parameters;
};

class Distribution {
 public:
  virtual ~Distribution() = default;
  virtual const DistributionInfo& info() const = 0;

  /// Why this input cannot be made (n too small for its processors, say), or nothing.
  virtual std::optional<std::string> declines(const Input&) const { return std::nullopt; }

  /// The parameters with `auto` resolved for this key type and n. Records hold these.
  virtual Parameters resolved(const Input& input) const { return input.parameters; }

  /// The resolved parameters with which fewer keys look like a part of `input`: counts in proportion to n.
  virtual Parameters of_fewer(const Input& input, std::uint64_t /*fewer*/) const { return resolved(input); }

  /// Whether it makes records with string keys, and is a RecordDistribution (record_distribution.hpp); else keys of
  /// fixed width.
  virtual bool makes_records() const { return false; }

  /// Writes the n keys of `input` to `keys` (n * size_of(input.key) bytes, aligned to the key) by `threads` threads.
  virtual void fill(const Input& input, void* keys, int threads) const = 0;

  /// Exact Shannon entropy of one key in bits, where a formula exists (Thearling & Smith 1992 for AND inputs).
  virtual std::optional<double> entropy_bits(const Input&) const { return std::nullopt; }

  /// Whether float keys may hold NaN or zeros of both signs, so that a sort by operator< would not order them.
  virtual bool needs_total_order(const Input&) const { return false; }
};

/// All registered distributions, by name.
const std::vector<const Distribution*>& all_distributions();

/// Finds one by its plain name. Throws BadInput, with the nearest name, if there is none.
const Distribution& distribution_named(std::string_view name);

/// Keeps a distribution for the life of the program: `const RegisterDistribution registered{std::make_unique<…>()};`
class RegisterDistribution {
 public:
  explicit RegisterDistribution(std::unique_ptr<Distribution> distribution);
};

/// A distribution with its parameters, as a user names it: "thearling:ands=2".
struct NamedDistribution {
  const Distribution* distribution = nullptr;
  Parameters parameters;
  std::string text;  ///< canonical short text, as it stands in records
};
NamedDistribution parse_distribution(std::string_view text);

/// Values are record ids: value i is i (modulo 2^32 for u32), so that a verifier can follow each pair to its origin.
void fill_values(ValueType type, std::uint64_t n, void* values, int threads);

}  // namespace sortlab
