#include "core/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "core/utf8.hpp"

namespace sortlab {
namespace {

const Value& find(const std::map<std::string, Value, std::less<>>& values, std::string_view name) {
  const auto found = values.find(name);
  if (found == values.end()) throw std::out_of_range(fmt::format("no parameter '{}'", name));
  return found->second;
}

std::vector<std::string> parameter_names(const std::vector<Parameter>& declared) {
  std::vector<std::string> names;
  for (const Parameter& parameter : declared) names.push_back(parameter.name);
  return names;
}

std::string allowed(const Parameter& parameter) {
  if (parameter.text) {
    return fmt::format("a text of at most {} bytes, with commas, percent signs and control characters as %2C",
                       kMaxTextBytes);
  }
  std::string text = parameter.choices.empty()
                         ? fmt::format("{} to {}", parameter.range.smallest, parameter.range.largest)
                         : join(parameter.choices);
  if (parameter.takes_auto()) text += ", or auto";
  return text;
}

template <class Number>
bool read(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size();
}

/// Bytes of the character that begins at `at`, or 0 if a value of a text parameter cannot hold it as it is.
std::size_t plain_bytes(std::string_view text, std::size_t at) {
  const Character c = decode_utf8(text.substr(at));
  constexpr std::uint32_t last_control = 0x9f;
  if (!c.code || *c.code == ',' || is_unseen(*c.code)) return 0;
  return *c.code < 0x20 || (*c.code >= 0x7f && *c.code <= last_control) ? 0 : c.bytes;
}

bool is_escaped(std::string_view text) {
  if (text.size() > kMaxTextBytes) return false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = plain_bytes(text, at);
    if (bytes == 0) return false;
    at += bytes;
  }
  return true;
}

Value parse(std::string_view owner, const Parameter& parameter, const std::string& text) {
  const auto fail = [&]() -> Value {
    throw BadInput(fmt::format("{}: parameter {}: '{}' is not allowed; allowed: {}", owner, parameter.name, text,
                               allowed(parameter)));
  };
  if (text == "auto" && parameter.takes_auto()) return text;
  if (parameter.text) return is_escaped(text) ? Value{text} : fail();
  if (!parameter.choices.empty()) {
    return std::ranges::find(parameter.choices, text) != parameter.choices.end() ? Value{text} : fail();
  }
  const auto in_range = [&](double number) {
    return number >= parameter.range.smallest && number <= parameter.range.largest;
  };
  if (std::holds_alternative<double>(parameter.standard)) {
    double number = 0;
    return read(text, number) && std::isfinite(number) && in_range(number) ? Value{number} : fail();
  }
  std::int64_t number = 0;
  return read(text, number) && in_range(static_cast<double>(number)) ? Value{number} : fail();
}

/// Levenshtein distance, for suggestions.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row.back();
}

}  // namespace

std::string escaped_text(std::string_view text) {
  std::string escaped;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = text[at] == '%' ? 0 : plain_bytes(text, at);
    std::string next{text.substr(at, std::max<std::size_t>(bytes, 1))};
    if (bytes == 0) next = fmt::format("%{:02X}", static_cast<unsigned char>(text[at]));
    if (escaped.size() + next.size() > kMaxTextBytes) break;
    at += std::max<std::size_t>(bytes, 1);
    escaped += next;
  }
  return escaped;
}

std::string unescaped_text(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned char byte = 0;
    const char* const digits = text.data() + at + 1;
    const bool escape =
        text[at] == '%' && at + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    plain += escape ? static_cast<char>(byte) : text[at];
    if (escape) at += 2;
  }
  return plain;
}

bool takes_text(const std::vector<Parameter>& declared) {
  return std::ranges::any_of(declared, &Parameter::text);
}

std::string to_text(const Value& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

std::int64_t Parameters::integer(std::string_view name) const {
  return std::get<std::int64_t>(find(values_, name));
}

double Parameters::real(std::string_view name) const {
  const Value& value = find(values_, name);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
  return std::get<double>(value);
}

const std::string& Parameters::word(std::string_view name) const {
  return std::get<std::string>(find(values_, name));
}

bool Parameters::is_auto(std::string_view name) const {
  const auto* word = std::get_if<std::string>(&find(values_, name));
  return word != nullptr && *word == "auto";
}

Parameters resolve(std::string_view owner, const std::vector<Parameter>& declared, const GivenParameters& given) {
  const std::vector<std::string> names = parameter_names(declared);
  for (const auto& [name, text] : given) {
    if (std::ranges::find(names, name) == names.end()) {
      throw BadInput(fmt::format("{}: unknown parameter '{}'{}; allowed: {}", owner, name, did_you_mean(name, names),
                                 names.empty() ? "none" : join(names)));
    }
  }
  Parameters resolved;
  for (const Parameter& parameter : declared) {
    const auto found = given.find(parameter.name);
    resolved.set(parameter.name, found == given.end() ? parameter.standard : parse(owner, parameter, found->second));
  }
  return resolved;
}

Parameters recorded(const std::vector<Parameter>& declared, const Parameters& values) {
  Parameters named;
  for (const auto& [name, value] : values.all()) {
    const auto parameter = std::ranges::find(declared, name, &Parameter::name);
    if (parameter == declared.end() || !parameter->later || value != parameter->standard) named.set(name, value);
  }
  return named;
}

std::string short_text(std::string_view name, const std::vector<Parameter>& declared, const Parameters& values) {
  std::string text{name};
  char separator = ':';
  for (const Parameter& parameter : declared) {
    const Value& value = values.all().at(parameter.name);
    if (!parameter.always_shown && value == parameter.standard) continue;
    text += fmt::format("{}{}={}", separator, parameter.name, to_text(value));
    separator = ',';
  }
  return text;
}

GivenParameters split_parameters(std::string_view text, std::string_view whole) {
  GivenParameters given;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == item.size()) {
      throw BadInput(fmt::format("'{}': expected NAME or NAME:KEY=VALUE,KEY=VALUE", whole));
    }
    const std::string key{item.substr(0, equals)};
    if (!given.emplace(key, item.substr(equals + 1)).second) {
      throw BadInput(fmt::format("'{}': names {} twice", whole, key));
    }
    if (comma == std::string_view::npos) return given;
    rest.remove_prefix(comma + 1);
  }
}

std::pair<std::string, GivenParameters> split_short_text(std::string_view text) {
  const std::size_t colon = text.find(':');
  std::string name{text.substr(0, colon)};
  if (colon == std::string_view::npos) return {std::move(name), {}};
  return {std::move(name), split_parameters(text.substr(colon + 1), text)};
}

std::string did_you_mean(std::string_view given, const std::vector<std::string>& names) {
  const auto nearest =
      std::ranges::min_element(names, {}, [&](const std::string& name) { return distance(given, name); });
  if (nearest == names.end() || distance(given, *nearest) > std::max<std::size_t>(2, given.size() / 3)) return {};
  return fmt::format(" (did you mean '{}'?)", *nearest);
}

std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace sortlab
