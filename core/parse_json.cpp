#include "core/parse_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <vector>

namespace sortlab {
namespace {

/// The value of four hexadecimal digits, or nullopt.
std::optional<unsigned> hex_digits(std::string_view text) {
  unsigned value = 0;
  if (text.size() < 4) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 4, value, 16);
  if (error != std::errc{} || end != text.data() + 4) return std::nullopt;
  return value;
}

/// The text with halves of surrogate pairs, \ud800 alone, as the six characters that they are written with. They are no
/// characters, and the parser would refuse the whole record; Python's reader shows them in the same way.
std::string without_lone_surrogates(std::string_view text) {
  const auto surrogate = [&](std::size_t at, unsigned first) {
    if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return false;
    const auto value = hex_digits(text.substr(at + 2));
    return value && *value >= first && *value < first + 0x400;
  };
  constexpr unsigned high = 0xd800, low = 0xdc00;
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      made += text[i];
    } else if (surrogate(i, high) && surrogate(i + 6, low)) {
      made += text.substr(i, 12);
      i += 11;
    } else {
      const bool is_lone = surrogate(i, high) || surrogate(i, low);
      made += is_lone ? "\\\\" : text.substr(i, 2);
      i += is_lone ? 0 : 1;
    }
  }
  return made;
}

/// True if brackets nest deeper than kMaxJsonLevels, found before anything is built. As far as a text is valid JSON,
/// this counts the levels the parser would nest.
bool too_deep(std::string_view text) {
  int level = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++level > kMaxJsonLevels) return true;
    } else if (c == ']' || c == '}') {
      --level;
    }
  }
  return false;
}

/// Handler of a parser that reads a text as far as it is valid, or up to the first key that an object has twice, and
/// knows where it stopped: "sweeps[0].n[2]".
class Place final : public nlohmann::json_sax<nlohmann::ordered_json> {
 public:
  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open({}); }
  bool start_array(std::size_t) override { return open({.element = 0}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    levels_.back().key = name;
    if (levels_.back().keys.insert(name).second) return true;
    has_twice_ = true;
    return false;
  }
  bool parse_error(std::size_t, const std::string& token, const nlohmann::json::exception&) override {
    token_bytes_ = token.size();
    return false;
  }

  std::string text() const {
    std::string text;
    for (const Level& level : levels_) {
      if (level.element) {
        text += fmt::format("[{}]", *level.element);
      } else {
        text += (text.empty() ? "" : ".") + level.key;
      }
    }
    return text;
  }
  /// Path of the value it stopped at.
  std::size_t token_bytes() const { return token_bytes_; }
  bool has_key_twice() const { return has_twice_; }

 private:
  struct Level {
    std::string key{};
    std::optional<std::size_t> element{};  ///< index in a list; nullopt: an object
    std::set<std::string> keys{};          ///< keys of an object so far
  };

  bool open(Level level) {
    levels_.push_back(std::move(level));
    return true;
  }
  bool close() {
    levels_.pop_back();
    return value();
  }
  /// Called at the end of a value.
  bool value() {
    if (!levels_.empty() && levels_.back().element) ++*levels_.back().element;
    return true;
  }

  std::vector<Level> levels_;
  std::size_t token_bytes_ = 0;
  bool has_twice_ = false;
};

/// Message for a number that no double holds, with its place: the library says neither which number nor where.
JsonError too_large_number(std::string_view text) {
  Place place;
  nlohmann::ordered_json::sax_parse(text, &place);
  const std::string where = place.text();
  return JsonError(fmt::format("{}{}a number of {} characters is too large; allowed: -1.8e308 to 1.8e308", where,
                               where.empty() ? "" : ": ", place.token_bytes()));
}

}  // namespace

std::optional<std::string> read_json_text(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) return std::nullopt;
  std::string text;
  std::string block(std::size_t{1} << 20, '\0');
  while (text.size() <= kMaxJsonBytes && file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) return std::nullopt;
  return text;
}

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

nlohmann::ordered_json parse_json(std::string_view text) {
  using nlohmann::ordered_json;
  if (text.size() > kMaxJsonBytes) throw JsonError(fmt::format("too long; allowed: {}", kMaxJsonText));
  // The parser would skip a byte order mark. A first one has been taken off; another is no JSON, for Python neither.
  if (without_mark(text).size() != text.size()) throw JsonError("not JSON", 0);
  if (too_deep(text)) throw JsonError(fmt::format("nested too deeply; allowed: {} levels", kMaxJsonLevels));
  std::string changed;
  if (text.find("\\ud") != std::string_view::npos || text.find("\\uD") != std::string_view::npos) {
    changed = without_lone_surrogates(text);
    text = changed;
  }
  try {
    Place place;
    ordered_json::sax_parse(text, &place);
    if (place.has_key_twice()) throw JsonError(fmt::format("{}: is there twice; allowed: once", place.text()));
    return ordered_json::parse(text);
  } catch (const ordered_json::parse_error& error) {
    throw JsonError("not JSON", std::min(error.byte, text.size()));
  } catch (const ordered_json::out_of_range&) {
    throw too_large_number(text);
  }
}

}  // namespace sortlab
