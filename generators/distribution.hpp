// The contract of an input distribution. Each family has one file, which registers itself.
//
// The same distribution, parameters, key type, n and seed give the same bytes on every machine and for any number of
// threads. Keys come from a counter-based generator (Random123 Philox), element by element. The path of an element uses
// neither libm nor contracted multiply-adds.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/key_types.hpp"
#include "core/parameters.hpp"

namespace sortlab {

struct DistributionInfo {
  std::string name;    ///< the plain name: uniform, thearling, staggered
  std::string title;   ///< one line for readers
  std::string source;  ///< paper and section that define it
  std::vector<Parameter> parameters;
};

/// The input to be made.
struct Input {
  KeyType key = KeyType::u32;
  std::uint64_t n = 0;  ///< elements
  std::uint64_t seed = 1;
  Parameters parameters;
};

/// The work that the parameters of an input of n keys may ask for: steps that n does not bound by itself, such as swaps
/// and runs. A million take milliseconds, however few the keys.
constexpr std::uint64_t allowed_work(std::uint64_t n) {
  constexpr std::uint64_t of_any_input = std::uint64_t{1} << 20;
  return n > of_any_input ? n : of_any_input;
}

/// Consecutive keys of an input.
struct KeyRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Key type and number of keys of an input that exists already.
struct KeyExtent {
  KeyType key = KeyType::u32;
  std::uint64_t n = 0;
};

class Distribution {
 public:
  virtual ~Distribution() = default;
  virtual const DistributionInfo& info() const = 0;

  /// Reads the parameters in `text`, what a user gave after the name and a colon; `whole` is all of it, for messages.
  virtual GivenParameters read_given(std::string_view text, std::string_view whole) const {
    return split_parameters(text, whole);
  }

  /// Type and number of the keys, where they exist before an input is made, as in a file. Inputs are then parts of it.
  virtual std::optional<KeyExtent> extent(const Parameters&) const { return std::nullopt; }

  /// True if every seed makes the same input because there is no other, as of a whole file. Samples then sort one input
  /// again and again, and records say so.
  virtual bool has_one_input(const Input&) const { return false; }

  /// Facts of this machine that another process on it needs to make the inputs, beside their parameters, such as a
  /// file's path; and their reader there. They are never recorded.
  virtual std::string facts_for_workers(const Parameters&) const { return {}; }
  virtual void take_facts(std::string_view) const {}

  /// The reason this input cannot be made (n too small for its processors, say), or nullopt.
  virtual std::optional<std::string> declines(const Input&) const { return std::nullopt; }

  /// The parameters with `auto` resolved for this key type and n. Records hold them.
  virtual Parameters resolved(const Input& input) const { return input.parameters; }

  /// The resolved parameters for a sample of `fewer` keys that looks like a part of `input`: counts are scaled to n.
  virtual Parameters scaled_to(const Input& input, std::uint64_t /*fewer*/) const { return resolved(input); }

  /// True for a RecordDistribution (record_distribution.hpp), which makes records with string keys; false for keys of
  /// fixed width.
  virtual bool makes_records() const { return false; }

  /// Writes the n keys of `input` to `keys` (n * byte_size(input.key) bytes, aligned to the key) by `threads` threads.
  virtual void fill(const Input& input, void* keys, int threads) const = 0;

  /// True if fill_ranges() works: any keys of the input can be had without the others.
  virtual bool has_ranges() const { return false; }

  /// Writes the keys of `ranges`, one range after the other, to `keys`.
  virtual void fill_ranges(const Input&, std::span<const KeyRange>, void* /*keys*/) const {}

  /// Exact Shannon entropy of one key in bits, if a formula exists (Thearling & Smith 1992 for AND inputs).
  virtual std::optional<double> entropy_bits(const Input&) const { return std::nullopt; }

  /// Probability that a bit of a key's pattern is one, if all its bits are independent with the same probability,
  /// whatever the order of the keys; 0 for equal keys, and nullopt for any other distribution.
  virtual std::optional<double> bit_probability(const Input&) const { return std::nullopt; }

  /// True if float keys may be NaN or zeros of both signs, which a sort by operator< would not order.
  virtual bool needs_total_order(const Input&) const { return false; }

  /// Version of the bytes made of this input: 1, or higher where an earlier release made other bytes of it. Records
  /// hold it among the parameters unless it is 1, so that a cell keeps its identity as long as its input is the same.
  virtual std::int64_t version(const Input&) const { return 1; }
};

/// All registered distributions, sorted by name.
const std::vector<const Distribution*>& all_distributions();

/// Finds a distribution by its plain name. Throws BadInput with the nearest name if there is none.
const Distribution& distribution_named(std::string_view name);

/// Keeps a distribution for the life of the program: `const RegisterDistribution registered{std::make_unique<…>()};`
class RegisterDistribution {
 public:
  explicit RegisterDistribution(std::unique_ptr<Distribution> distribution);
};

/// A module's own registry of distributions (algorithms/module.hpp).
const std::vector<std::unique_ptr<Distribution>>& distributions_of_module();

/// Adds a module's distribution to the program's registry. The module must stay loaded.
void adopt(const Distribution& distribution);

/// A distribution with its parameters, as a user names it: "thearling:ands=2".
struct NamedDistribution {
  const Distribution* distribution = nullptr;
  Parameters parameters;
  std::string text;  ///< canonical short text, as in records
};
NamedDistribution parse_distribution(std::string_view text);

/// The same distribution under the name of its input: a parameter that was given the value to which `auto` would be
/// resolved for this key type and n becomes `auto`, so that one input is one cell (uniform:range_bits=32 of u32 keys is
/// uniform).
NamedDistribution canonical(const NamedDistribution& named, KeyType key, std::uint64_t n);

/// Writes values, which are record ids: value i is i (modulo 2^32 for u32). A verifier can trace each pair to its
/// origin.
void fill_values(ValueType type, std::uint64_t n, void* values, int threads);

}  // namespace sortlab
