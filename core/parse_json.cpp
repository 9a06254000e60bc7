#include "core/parse_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace sortlab {
namespace {

/// Whether brackets open more than kMostJsonLevels inside each other, before anything is built of them. In a text that
/// is JSON up to some byte this counts, up to there, what the parser would nest.
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
      if (++level > kMostJsonLevels) return true;
    } else if (c == ']' || c == '}') {
      --level;
    }
  }
  return false;
}

}  // namespace

std::optional<std::string> read_json_text(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  if (!file) return std::nullopt;
  std::string text;
  std::string block(std::size_t{1} << 20, '\0');
  while (text.size() <= kMostJsonBytes && file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    text.append(block, 0, static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) return std::nullopt;
  return text;
}

nlohmann::ordered_json parse_json(std::string_view text) {
  using nlohmann::ordered_json;
  if (text.size() > kMostJsonBytes) throw JsonError(fmt::format("too long; allowed: {}", kMostJsonText));
  if (too_deep(text)) throw JsonError(fmt::format("nested too deeply; allowed: {} levels", kMostJsonLevels));
  try {
    return ordered_json::parse(text);
  } catch (const ordered_json::parse_error& error) {
    throw JsonError("not JSON", std::min(error.byte, text.size()));
  } catch (const ordered_json::out_of_range&) {
    throw JsonError("holds a number that is too large; allowed: -1.8e308 to 1.8e308");
  }
}

}  // namespace sortlab
