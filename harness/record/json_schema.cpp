#include "harness/record/json_schema.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/parameters.hpp"
#include "core/printable.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

enum class Keyword {
  remark,
  reference,
  type,
  constant,
  choice,
  minimum,
  maximum,
  min_length,
  max_length,
  pattern,
  required,
  properties,
  additional_properties,
  property_names,
  min_items,
  max_items,
  items,
  all_of,
  any_of,
  none_of,
  condition,
};

const std::unordered_map<std::string_view, Keyword>& keywords() {
  static const std::unordered_map<std::string_view, Keyword> known{
      {"$schema", Keyword::remark},
      {"$id", Keyword::remark},
      {"$defs", Keyword::remark},
      {"title", Keyword::remark},
      {"description", Keyword::remark},
      {"then", Keyword::remark},  // read with its condition
      {"else", Keyword::remark},
      {"$ref", Keyword::reference},
      {"type", Keyword::type},
      {"const", Keyword::constant},
      {"enum", Keyword::choice},
      {"minimum", Keyword::minimum},
      {"maximum", Keyword::maximum},
      {"minLength", Keyword::min_length},
      {"maxLength", Keyword::max_length},
      {"pattern", Keyword::pattern},
      {"format", Keyword::pattern},
      {"required", Keyword::required},
      {"properties", Keyword::properties},
      {"additionalProperties", Keyword::additional_properties},
      {"propertyNames", Keyword::property_names},
      {"minItems", Keyword::min_items},
      {"maxItems", Keyword::max_items},
      {"items", Keyword::items},
      {"allOf", Keyword::all_of},
      {"anyOf", Keyword::any_of},
      {"not", Keyword::none_of},
      {"if", Keyword::condition},
  };
  return known;
}

// The form "date-time", as Python's reader checks it.
constexpr std::string_view kDateTime =
    R"(^\d{4}-[01]\d-[0-3]\d[tT][0-2]\d:[0-5]\d:[0-5]\d(?:\.\d+)?(?:[+-][0-2]\d:?[0-5]\d|z|Z)$)";

/// Number of characters of a text as every page shows it.
std::size_t count_characters(const std::string& text) {
  const std::string shown = printable(text);
  return static_cast<std::size_t>(std::ranges::count_if(shown, [](char c) { return (c & 0xC0) != 0x80; }));
}

/// A whole number with a point or an exponent is an integer, too.
bool is_integer(const ordered_json& value) {
  if (value.is_number_integer()) return true;
  return value.is_number_float() && value.get<double>() == std::floor(value.get<double>());
}

bool is_of_type(const ordered_json& value, std::string_view type) {
  if (type == "integer") return is_integer(value);
  if (type == "number") return value.is_number() && (!value.is_number_float() || std::isfinite(value.get<double>()));
  return type == (value.is_string() ? "string" : value.type_name());
}

/// Holds every 64-bit integer and every double.
long double exact(const auto& number) {
  if (number.is_number_unsigned()) return static_cast<long double>(number.template get<std::uint64_t>());
  if (number.is_number_integer()) return static_cast<long double>(number.template get<std::int64_t>());
  return number.template get<double>();
}

std::vector<std::string> listed(const ordered_json& words) {
  if (!words.is_array()) return {words.is_string() ? words.get<std::string>() : words.dump()};
  std::vector<std::string> texts;
  for (const ordered_json& word : words) texts.push_back(word.is_string() ? word.get<std::string>() : word.dump());
  return texts;
}

std::string allowed_number(const ordered_json& schema, bool is_whole) {
  const std::string least = schema.contains("minimum") ? schema["minimum"].dump() : "";
  if (is_whole) {
    if (schema.contains("maximum")) return fmt::format("an integer from {} to {}", least, schema["maximum"].dump());
    return least.empty() ? "an integer" : fmt::format("an integer from {} on", least);
  }
  if (schema.contains("anyOf")) return "a finite number: 0, or from 1e-30 to 1e+30 in magnitude";
  if (least.empty() || schema["minimum"] < 0) return "a finite number";
  return schema["minimum"] == 0 ? "a finite number of at least 0" : "a finite number above 0";
}

std::string allowed_of_type(const ordered_json& schema, const std::string& type) {
  if (type == "integer" || type == "number") return allowed_number(schema, type == "integer");
  if (type == "array") {
    if (!schema.contains("minItems")) return "a list";
    return schema.contains("maxItems") ? fmt::format("a list of {}", schema["maxItems"].dump()) : "a list, not empty";
  }
  if (type == "string") {
    if (schema.contains("pattern")) return fmt::format("a text like {}", schema["pattern"].get<std::string>());
    std::string words = schema.contains("minLength") ? "a text, not empty" : "a text";
    if (schema.contains("maxLength")) words += fmt::format(", of at most {} characters", schema["maxLength"].dump());
    return words;
  }
  if (type == "boolean") return "true or false";
  return type == "null" ? "null" : "an object";
}

std::string allowed_values(const ordered_json& schema) {
  if (schema.contains("const")) return schema["const"].dump();
  if (schema.contains("enum")) return fmt::format("one of {}", join(listed(schema["enum"])));
  std::string words;
  for (const std::string& type : schema.contains("type") ? listed(schema["type"]) : std::vector<std::string>{}) {
    words += fmt::format("{}{}", words.empty() ? "" : ", or ", allowed_of_type(schema, type));
  }
  return words.empty() ? allowed_number(schema, false) : words;
}

}  // namespace

/// One check of a value. Faults are made on the way back, so that a sound value costs no texts.
class JsonSchema::Check {
 public:
  explicit Check(const JsonSchema& whole) : whole_(whole) {}

  /// Keeps the fault's words. False if the value breaks the schema.
  bool holds(const ordered_json& schema, const ordered_json& value) {
    if (schema.is_boolean()) return schema.get<bool>() || fail("must not be there");
    for (auto keyword = schema.begin(); keyword != schema.end(); ++keyword) {
      if (!holds(keywords().at(keyword.key()), keyword.value(), schema, value)) return false;
    }
    return true;
  }

  std::string fault() const {
    if (place_.empty()) return words_;
    return fmt::format("{}: {}", place_, words_);
  }

 private:
  bool fail(std::string words) {
    place_.clear();
    words_ = std::move(words);
    return false;
  }

  bool within(const ordered_json& schema, const ordered_json& value, const auto& place) {
    if (holds(schema, value)) return true;
    std::string outer = place();
    place_ = place_.empty() ? outer : fmt::format("{}{}{}", outer, place_.starts_with('[') ? "" : ".", place_);
    return false;
  }

  bool need(bool fulfilled, const ordered_json& schema) {
    return fulfilled || fail(fmt::format("must be {}", allowed_values(schema)));
  }

  /// `limit`: the keyword's own value in `schema`.
  bool holds(Keyword keyword, const ordered_json& limit, const ordered_json& schema, const ordered_json& value) {
    const auto is_same = [&](const ordered_json& other) {
      return value.is_primitive() && value.is_boolean() == other.is_boolean() && value == other;
    };
    const auto has_type = [&](const ordered_json& name) {
      return is_of_type(value, name.get_ref<const std::string&>());
    };
    const auto fits = [&](const ordered_json& one) { return Check{whole_}.holds(one, value); };
    switch (keyword) {
      case Keyword::remark: return true;
      case Keyword::reference: return holds(*whole_.definitions_.at(limit.get_ref<const std::string&>()), value);
      case Keyword::type:
        return need(limit.is_array() ? std::ranges::any_of(limit, has_type) : has_type(limit), schema);
      case Keyword::constant: return need(is_same(limit), schema);
      case Keyword::choice: return need(std::ranges::any_of(limit, is_same), schema);
      case Keyword::minimum: return need(!value.is_number() || exact(value) >= exact(limit), schema);
      case Keyword::maximum: return need(!value.is_number() || exact(value) <= exact(limit), schema);
      case Keyword::min_length: return need(!value.is_string() || count_characters(text(value)) >= limit, schema);
      case Keyword::max_length: return need(!value.is_string() || is_within(text(value), limit), schema);
      case Keyword::pattern:
        return need(!value.is_string() || RE2::PartialMatch(text(value), *whole_.patterns_.at(text(limit))), schema);
      case Keyword::min_items: return need(!value.is_array() || value.size() >= limit, schema);
      case Keyword::max_items: return need(!value.is_array() || value.size() <= limit, schema);
      case Keyword::required: return !value.is_object() || has_members(limit, value);
      case Keyword::properties: return !value.is_object() || members_hold(limit, value);
      case Keyword::additional_properties: return !value.is_object() || others_hold(limit, schema, value);
      case Keyword::property_names: return !value.is_object() || names_hold(limit, value);
      case Keyword::items: return !value.is_array() || items_hold(limit, value);
      case Keyword::all_of:
        return std::ranges::all_of(limit, [&](const ordered_json& one) { return holds(one, value); });
      case Keyword::any_of: return need(std::ranges::any_of(limit, fits), schema);
      case Keyword::none_of: return !fits(limit) || fail("must be another");
      case Keyword::condition: {
        const auto branch = schema.find(fits(limit) ? "then" : "else");
        return branch == schema.end() || holds(*branch, value);
      }
    }
    throw std::logic_error("JSON Schema: keyword");
  }

  static const std::string& text(const ordered_json& value) { return value.get_ref<const std::string&>(); }

  static bool is_within(const std::string& text, const ordered_json& most) {
    constexpr std::size_t longest = 6;  // characters that show one byte: \u202e
    return longest * text.size() <= most || count_characters(text) <= most;
  }

  bool has_members(const ordered_json& required, const ordered_json& value) {
    for (const ordered_json& name : required) {
      if (value.contains(text(name))) continue;
      fail("is missing");
      place_ = text(name);
      return false;
    }
    return true;
  }

  bool members_hold(const ordered_json& known, const ordered_json& value) {
    for (auto member = value.begin(); member != value.end(); ++member) {
      const auto schema = known.find(member.key());
      if (schema == known.end()) continue;
      if (!within(*schema, member.value(), [&] { return member.key(); })) return false;
    }
    return true;
  }

  bool others_hold(const ordered_json& others, const ordered_json& schema, const ordered_json& value) {
    const auto known = schema.find("properties");
    for (auto member = value.begin(); member != value.end(); ++member) {
      if (known != schema.end() && known->contains(member.key())) continue;
      if (!within(others, member.value(), [&] { return shortened(member.key()); })) return false;
    }
    return true;
  }

  bool names_hold(const ordered_json& names, const ordered_json& value) {
    for (auto member = value.begin(); member != value.end(); ++member) {
      if (!within(names, member.key(), [&] { return shortened(member.key()); })) return false;
    }
    return true;
  }

  static std::string shortened(const std::string& name) {
    constexpr std::size_t most = 256;
    return name.size() > most ? name.substr(0, most) + "…" : name;
  }

  bool items_hold(const ordered_json& items, const ordered_json& value) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!within(items, value[i], [&] { return fmt::format("[{}]", i); })) return false;
    }
    return true;
  }

  const JsonSchema& whole_;
  std::string place_;
  std::string words_;
};

JsonSchema::JsonSchema(ordered_json schema) : schema_(std::move(schema)) {
  check_keywords(schema_);
  if (schema_.contains("$defs")) check_keywords_within(schema_["$defs"]);
}

JsonSchema::~JsonSchema() = default;

void JsonSchema::check_keywords_within(const ordered_json& schemas) {
  for (const ordered_json& schema : schemas) check_keywords(schema);
}

void JsonSchema::check_keywords(const ordered_json& schema) {
  if (schema.is_boolean()) return;
  for (const auto& [keyword, value] : schema.items()) {
    const auto known = keywords().find(keyword);
    if (known == keywords().end() || (keyword == "format" && value != "date-time")) {
      throw std::logic_error("JSON Schema: " + keyword + " " + value.dump() + " is not supported");
    }
    if (known->second == Keyword::pattern) {
      const auto& pattern = value.get_ref<const std::string&>();
      const std::string expression = keyword == "format" ? std::string{kDateTime} : pattern;
      patterns_.try_emplace(pattern, std::make_unique<re2::RE2>(expression));
    }
    if (known->second == Keyword::reference) {
      const auto& reference = value.get_ref<const std::string&>();
      definitions_[reference] = &schema_.at(ordered_json::json_pointer{reference.substr(1)});
    }
    constexpr std::array with_schema{Keyword::additional_properties, Keyword::property_names, Keyword::items,
                                     Keyword::condition, Keyword::none_of};
    constexpr std::array with_schemas{Keyword::properties, Keyword::all_of, Keyword::any_of};
    const auto is_among = [&](const auto& several) {
      return std::ranges::find(several, known->second) != several.end();
    };
    if (is_among(with_schema) || keyword == "then" || keyword == "else") check_keywords(value);
    if (is_among(with_schemas)) check_keywords_within(value);
  }
}

std::optional<std::string> JsonSchema::fault(const ordered_json& value) const {
  Check check{*this};
  if (check.holds(schema_, value)) return std::nullopt;
  return check.fault();
}

}  // namespace sortlab
