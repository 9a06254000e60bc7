#include "core/json_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/parse_json.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

std::string shortened(const ordered_json& value) {
  std::string text = value.dump(-1, ' ', true, ordered_json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

/// The integer that a number with a point or an exponent is: 1000.0, 500e6. Nothing for integers written as such, and
/// from 2^53 on, where doubles are no longer exact.
std::optional<std::int64_t> whole_number(const ordered_json& value) {
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  if (number != std::floor(number) || std::abs(number) > 0x1p53) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

}  // namespace

void JsonField::fail(std::string_view expected) const {
  throw BadInput(fmt::format("{}: expected {}, not {}", where(), expected, shortened(*value_)));
}

void JsonField::only(const std::vector<std::string>& keys) const {
  if (!value_->is_object()) fail("an object {…}");
  for (const auto& [key, member] : value_->items()) {
    if (std::ranges::find(keys, key) == keys.end()) {
      throw BadInput(fmt::format("{}: unknown key {}{}; allowed: {}", where(), shortened(key), did_you_mean(key, keys),
                                 join(keys)));
    }
  }
}

std::optional<JsonField> JsonField::find(std::string_view key) const {
  if (!value_->is_object()) fail("an object {…}");
  const auto found = value_->find(std::string{key});
  if (found == value_->end()) return std::nullopt;
  return JsonField{*found, file_, path_.empty() ? std::string{key} : fmt::format("{}.{}", path_, key)};
}

JsonField JsonField::at(std::string_view key) const {
  if (auto field = find(key)) return *field;
  throw BadInput(fmt::format("{}: the key '{}' is missing", where(), key));
}

std::vector<JsonField> JsonField::elements() const {
  if (!value_->is_array() || value_->empty()) fail("a list [...] of one or more");
  return list();
}

std::vector<JsonField> JsonField::list() const {
  if (!value_->is_array()) fail("a list [...]");
  std::vector<JsonField> all;
  for (std::size_t i = 0; i < value_->size(); ++i)
    all.emplace_back((*value_)[i], file_, fmt::format("{}[{}]", path_, i));
  return all;
}

std::vector<std::pair<std::string, JsonField>> JsonField::members() const {
  if (!value_->is_object()) fail("an object {…}");
  std::vector<std::pair<std::string, JsonField>> all;
  for (const auto& [key, member] : value_->items()) all.emplace_back(key, at(key));
  return all;
}

std::string JsonField::text() const {
  if (!value_->is_string()) fail("a text \"...\"");
  return value_->get<std::string>();
}

std::string JsonField::word_among(const std::vector<std::string>& allowed) const {
  std::string given = text();
  if (std::ranges::find(allowed, given) == allowed.end()) fail("one of " + join(allowed));
  return given;
}

std::int64_t JsonField::integer(std::int64_t smallest, std::int64_t largest) const {
  const auto wrong = [&] { fail(fmt::format("an integer from {} to {}", smallest, largest)); };
  if (const auto whole = whole_number(*value_)) {
    if (*whole < smallest || *whole > largest) wrong();
    return *whole;
  }
  if (!value_->is_number_integer()) wrong();
  if (value_->is_number_unsigned() && value_->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) wrong();
  const auto number = value_->get<std::int64_t>();
  if (number < smallest || number > largest) wrong();
  return number;
}

double JsonField::number(double smallest, double largest) const {
  const auto wrong = [&] { fail(fmt::format("a number from {:g} to {:g}", smallest, largest)); };
  if (!value_->is_number()) wrong();
  const double number = value_->get<double>();
  if (!(number >= smallest && number <= largest)) wrong();
  return number;
}

bool JsonField::boolean() const {
  if (!value_->is_boolean()) fail("true or false");
  return value_->get<bool>();
}

std::string JsonField::scalar() const {
  if (value_->is_string()) return value_->get<std::string>();
  if (!value_->is_number()) fail("a number or a text");
  if (const auto whole = whole_number(*value_)) return fmt::format("{}", *whole);
  return value_->dump();
}

ordered_json read_json_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw BadInput(fmt::format("{}: {}", path.string(), error ? error.message() : "no such file"));
  }
  if (std::filesystem::is_directory(path, error)) throw BadInput(fmt::format("{}: is a folder", path.string()));
  const std::optional<std::string> content = read_json_text(path);
  if (!content) throw BadInput(fmt::format("{}: cannot be read", path.string()));
  const std::string_view text = without_mark(*content);
  if (text.empty()) throw BadInput(fmt::format("{}: is empty; expected JSON", path.string()));
  try {
    return parse_json(text);
  } catch (const JsonError& failure) {
    if (!failure.byte()) throw BadInput(fmt::format("{}: {}", path.string(), failure.what()));
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(*failure.byte()), '\n');
    throw BadInput(fmt::format("{}: is not JSON, from line {} (byte {}) on", path.string(), line, *failure.byte()));
  }
}

}  // namespace sortlab
