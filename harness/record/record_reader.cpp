#include "harness/record/record_reader.hpp"

#include <fmt/format.h>
#include <algorithm>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <variant>

#include "core/parameters.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

// Deeper than any record; a stranger's million brackets would overflow the stack of whoever writes them out again.
constexpr int kMaxDepth = 32;

/// The record of a line, or what is wrong with it.
std::variant<ordered_json, std::string> parse_record(std::string_view line) {
  ordered_json record;
  try {
    record = ordered_json::parse(line, [](int depth, ordered_json::parse_event_t, ordered_json&) {
      if (depth > kMaxDepth) throw std::length_error("nested too deeply");
      return true;
    });
  } catch (const ordered_json::exception&) {
    return std::string{"not JSON"};
  } catch (const std::length_error& error) {
    return std::string{error.what()};
  }
  if (!record.is_object()) return std::string{"not a JSON object"};
  const auto schema = record.find("schema");
  if (schema == record.end() || !schema->is_number_integer() || *schema != 1) return std::string{"schema: must be 1"};
  const auto kind = record.find("kind");
  if (kind == record.end() || !kind->is_string()) {
    return std::string{"kind: must be run, measurement, component, prediction or published"};
  }
  return record;
}

/// Whether a kill in the middle of a write can have left this: the begin of a record, however short.
bool may_be_torn(std::string_view line) {
  constexpr std::string_view begin = R"({"schema":)";
  const std::size_t shared = std::min(line.size(), begin.size());
  return line.substr(0, shared) == begin.substr(0, shared);
}

std::string read_whole(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw BadInput(fmt::format("{}: is a folder; a file of records (*.jsonl) is needed", path.string()));
  }
  std::ifstream file{path, std::ios::binary};
  if (!file) throw BadInput(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace

RecordFile read_records(const std::filesystem::path& path) {
  const std::string text = read_whole(path);
  RecordFile result;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++number;
    const std::size_t newline = text.find('\n', begin);
    const bool complete = newline != std::string::npos;
    const std::string_view line = std::string_view{text}.substr(begin, complete ? newline - begin : std::string::npos);
    begin = complete ? newline + 1 : text.size();
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto parsed = parse_record(line);
    if (auto* record = std::get_if<ordered_json>(&parsed)) {
      result.records.push_back(std::move(*record));
      result.lines.push_back(number);
      result.texts.emplace_back(line);
    } else if (!complete && may_be_torn(line)) {
      result.torn = true;
    } else {
      throw BadInput(fmt::format("{}:{}: {}", path.string(), number, std::get<std::string>(parsed)));
    }
  }
  return result;
}

}  // namespace sortlab
