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

/// A parameter's value: an integer, a real number, one word of a list, or a text.
using Value = std::variant<std::int64_t, double, std::string>;

/// Text of a value, as a user would write it: 8, 0.75, auto.
std::string to_text(const Value& value);

/// Declares one parameter. Exactly one of `range`, `choices` and `text` limits it.
struct Parameter {
  std::string name;
  std::string meaning;  ///< one line, with the unit
  Value standard;       ///< the default; "auto": resolved before a run (see automatic)
  struct Range {
    double smallest = 0;
    double largest = 0;
  } range{};                              ///< numbers allowed
  std::vector<std::string> choices{};     ///< allowed words
  std::vector<std::int64_t> automatic{};  ///< values that a model may choose for `auto`; empty: the plug-in chooses
  bool promise = false;  ///< true: a promise about the input, or less than a sort; only the default suits all inputs
  bool always_shown = false;  ///< true: the short text names it even at its default (zipf:theta=0.75)
  bool later = false;         ///< true: declared after records of its owner were kept. Records then leave out its
                              ///< default, so that a cell keeps its identity
  bool text = false;          ///< true: any text that escaped_text() returns, up to kMaxTextBytes

  /// True if `auto` is allowed: a model or the plug-in (Algorithm::automatic) can choose.
  bool takes_auto() const { return !automatic.empty() || standard == Value{std::string{"auto"}}; }
};

/// Length of the value of a text parameter, at most.
inline constexpr std::size_t kMaxTextBytes = 96;

/// `text` as the value of a text parameter, in one word of a short text: commas, percent signs, control characters,
/// what changes the direction of text, and bytes that are no UTF-8 are written as %2C. Longer values are cut.
std::string escaped_text(std::string_view text);

/// The inverse, for values that were not cut.
std::string unescaped_text(std::string_view text);

/// True if a user can only name a thing with these parameters by a text of their own, such as a file.
bool takes_text(const std::vector<Parameter>& declared);

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

/// Parameters as a user gave them, still as text: {"ands": "2"}.
using GivenParameters = std::map<std::string, std::string, std::less<>>;

/// Fills in defaults and checks ranges. `owner` names the thing in messages ("distribution thearling").
/// Throws BadInput for an unknown name, a value out of range or an unreadable one.
Parameters resolve(std::string_view owner, const std::vector<Parameter>& declared, const GivenParameters& given);

/// The parameters that records name: `values` without the defaults of parameters declared later.
Parameters recorded(const std::vector<Parameter>& declared, const Parameters& values);

/// Canonical short text of a name with its parameters, "thearling:ands=2": those always shown or away from their
/// default, in the order of declaration.
std::string short_text(std::string_view name, const std::vector<Parameter>& declared, const Parameters& values);

/// Splits "theta=0.75,map=hashed"; `whole` is the text that messages show. Throws BadInput when it cannot be read.
GivenParameters split_parameters(std::string_view text, std::string_view whole);

/// Splits "zipf:theta=0.75,map=hashed". Throws BadInput when it cannot be read.
std::pair<std::string, GivenParameters> split_short_text(std::string_view text);

/// " (did you mean 'uniform'?)" for the nearest of `names`, or nothing if none is near.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& names);

/// The words with commas between them: "a, b, c".
std::string join(const std::vector<std::string>& words);

}  // namespace sortlab
