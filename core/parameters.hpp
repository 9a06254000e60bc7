// Named parameters with ranges, as algorithms, distributions and models declare them and users give them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/bad_input.hpp"

namespace sortlab {

/// A parameter's value: an integer, a real number, or one word of a list.
using Value = std::variant<std::int64_t, double, std::string>;

/// The text of a value, as a user would write it: 8, 0.75, auto.
std::string to_text(const Value& value);

/// Declares one parameter. Exactly one of `range` and `choices` limits it.
struct Parameter {
  std::string name;
  std::string meaning;  ///< one line, with the unit
  Value standard;       ///< the default; "auto": resolved before a run (see automatic)
  struct Range {
    double smallest = 0;
    double largest = 0;
  } range{};                              ///< numbers allowed
  std::vector<std::string> choices{};     ///< allowed words
  std::vector<std::int64_t> automatic{};  ///< values of `auto` for the model; empty: only the plug-in chooses
  bool promise = false;       ///< says something of the input, or asks for less than a sort: no setting but the default
                              ///< suits all inputs
  bool always_shown = false;  ///< named in the short text even at its default: zipf:theta=0.75
  bool later = false;  ///< declared when records of its owner were kept: only another value than the default is named
                       ///< in records, so that a cell is the same as before

  /// Whether `auto` is allowed: a model or the plug-in (Algorithm::automatic) can choose.
  bool takes_auto() const { return !automatic.empty() || standard == Value{std::string{"auto"}}; }
};

/// Resolved parameters: each declared name with its value.
class Parameters {
 public:
  /// Throws std::out_of_range for a name that was not declared, std::bad_variant_access for the wrong type.
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;  ///< an integer converts
  const std::string& word(std::string_view name) const;
  bool is_auto(std::string_view name) const;

  void set(std::string name, Value value) { values_.insert_or_assign(std::move(name), std::move(value)); }
  const std::map<std::string, Value, std::less<>>& all() const { return values_; }
  friend bool operator==(const Parameters&, const Parameters&) = default;

 private:
  std::map<std::string, Value, std::less<>> values_;
};

/// What a user gave, still as text: {"ands": "2"}.
using GivenParameters = std::map<std::string, std::string, std::less<>>;

/// Fills in defaults and checks ranges. `owner` names the thing in messages ("distribution thearling").
/// Throws BadInput for an unknown name, a value out of range or an unreadable one.
Parameters resolve(std::string_view owner, const std::vector<Parameter>& declared, const GivenParameters& given);

/// `values` as records name them: without the defaults of parameters declared later.
Parameters recorded(const std::vector<Parameter>& declared, const Parameters& values);

/// The short text of a name with its parameters, canonical: those always shown or away from their default, in the order
/// of declaration: "thearling:ands=2".
std::string short_text(std::string_view name, const std::vector<Parameter>& declared, const Parameters& values);

/// Splits "zipf:theta=0.75,map=hashed". Throws BadInput when it cannot be read.
std::pair<std::string, GivenParameters> split_short_text(std::string_view text);

/// " (did you mean 'uniform'?)" for the nearest of `names`, or nothing if none is near.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& names);

/// "a, b, c"
std::string join(const std::vector<std::string>& words);

}  // namespace sortlab
