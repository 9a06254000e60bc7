#include "harness/record/record_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <variant>

#include "core/parameters.hpp"
#include "core/parse_json.hpp"
#include "harness/cell/result.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

// The kinds of the schema of records; a test compares the two.
constexpr std::array<std::string_view, 11> kKinds{"run",       "algorithm",      "measurement", "count",
                                                  "component", "prediction",     "published",   "validation",
                                                  "drift",     "validation_end", "imported"};

// Limits of the schema of records, which Python's reader takes from there.
constexpr double kMinSeconds = 1e-30;
constexpr double kMaxSeconds = 1e30;
constexpr std::string_view kSecondsText = "a finite number above 0";

bool is_seconds(const ordered_json& value) {
  return value.is_number() && value.get<double>() >= kMinSeconds && value.get<double>() <= kMaxSeconds;
}

/// True for an integer from `least` to 2^63 - 1. A whole number with a point or an exponent is one, as in JSON Schema.
bool is_count(const ordered_json& value, std::int64_t least) {
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    return number >= static_cast<std::uint64_t>(least) && number <= static_cast<std::uint64_t>(INT64_MAX);
  }
  if (value.is_number_integer()) return value.get<std::int64_t>() >= least;
  if (!value.is_number_float()) return false;
  const double number = value.get<double>();
  return number == std::floor(number) && number >= static_cast<double>(least) && number < 0x1p63;
}

std::optional<std::string> wrong_case(const ordered_json& record);

/// The fault in the members of a measurement that every reader relies on, or nullopt. Missing members are left to their
/// reader.
std::optional<std::string> wrong_member(const ordered_json& record) {
  for (const char* name : {"cell", "key", "machine", "run", "status", "signal"}) {
    const auto member = record.find(name);
    if (member != record.end() && !member->is_string()) return fmt::format("{}: must be a text", name);
  }
  if (const auto status = record.find("status"); status != record.end() && record["kind"] != "count") {
    if (!value_named<Status>(status->get_ref<const std::string&>())) {
      std::vector<std::string> names = all_names<Status>();
      const std::string last = std::move(names.back());
      names.pop_back();
      return fmt::format("status: must be {} or {}", join(names), last);
    }
  }
  if (auto wrong = wrong_case(record)) return wrong;
  if (const auto median = record.find("median_s"); median != record.end() && !median->is_null()) {
    if (!is_seconds(*median)) return fmt::format("median_s: must be {}", kSecondsText);
  }
  for (const char* name : {"samples_s", "ci95_s"}) {
    const auto times = record.find(name);
    if (times == record.end()) continue;
    if (!times->is_array() || !std::ranges::all_of(*times, is_seconds)) {
      return fmt::format("{}: must be a list of positive seconds where status is ok", name);
    }
  }
  return std::nullopt;
}

/// The fault in a case's members that have a range, or nullopt.
std::optional<std::string> wrong_case(const ordered_json& record) {
  const auto what = record.find("case");
  if (what == record.end()) return std::nullopt;
  if (!what->is_object()) return "case: must be an object";
  for (const char* name : {"n", "seed", "threads", "bytes"}) {
    const auto member = what->find(name);
    const int least = std::string_view{name} == "threads" ? 1 : 0;
    if (member == what->end() || is_count(*member, least)) continue;
    return fmt::format("case.{}: must be an integer from {} to {}", name, least, INT64_MAX);
  }
  for (const char* name : {"algorithm", "distribution", "component"}) {
    const auto member = what->find(name);
    if (member != what->end() && !member->is_string()) return fmt::format("case.{}: must be a text", name);
  }
  return std::nullopt;
}

/// The record on a line, or its fault in words.
std::variant<ordered_json, std::string> parse_record(std::string_view line) {
  ordered_json record;
  try {
    record = parse_json(line);
  } catch (const JsonError& error) {
    return std::string{error.what()};
  }
  if (!record.is_object()) return std::string{"not a JSON object"};
  const auto schema = record.find("schema");
  if (schema == record.end() || !schema->is_number() || *schema != 1) return std::string{"schema: must be 1"};
  const auto kind = record.find("kind");
  if (kind == record.end() || !kind->is_string() ||
      std::ranges::find(kKinds, kind->get_ref<const std::string&>()) == kKinds.end()) {
    return fmt::format("kind: must be one of {}", fmt::join(kKinds, ", "));
  }
  if (*kind == "measurement" || *kind == "component" || *kind == "count") {
    if (auto wrong = wrong_member(record)) return std::move(*wrong);
  }
  return record;
}

/// True for a file that begins with UTF-16's byte order mark.
bool is_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

/// True if a kill during a write can have left this: the beginning of a record, however short.
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
  std::string text;
  std::string block(std::size_t{1} << 20, '\0');
  std::size_t line = 0;  // bytes since the last line break
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    const std::string_view got = std::string_view{block}.substr(0, static_cast<std::size_t>(file.gcount()));
    const std::size_t newline = got.rfind('\n');
    line = newline == std::string_view::npos ? line + got.size() : got.size() - newline - 1;
    text += got;
    if (line > kMaxJsonBytes) {
      throw BadInput(fmt::format("{}:{}: too long; allowed: {} a line", path.string(),
                                 1 + std::ranges::count(text, '\n'), kMaxJsonText));
    }
  }
  if (file.bad()) throw BadInput(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  return text;
}

}  // namespace

RecordFile read_records(const std::filesystem::path& path) {
  std::string text = read_whole(path);
  RecordFile result;
  if (is_utf16(text)) throw BadInput(fmt::format("{}: is UTF-16; allowed: UTF-8, as Sortlab writes", path.string()));
  const std::size_t zeros = text.size() - (text.find_last_not_of('\0') + 1);
  text.resize(text.size() - zeros);
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++number;
    const std::size_t newline = text.find('\n', begin);
    const bool complete = newline != std::string::npos;
    // Files that begin with a byte order mark may have been put one after the other.
    const std::string_view line =
        without_mark(std::string_view{text}.substr(begin, complete ? newline - begin : std::string::npos));
    begin = complete ? newline + 1 : text.size();
    if (complete) result.whole_bytes = begin;
    if (line.size() > kMaxJsonBytes) {
      throw BadInput(fmt::format("{}:{}: too long; allowed: {} a line", path.string(), number, kMaxJsonText));
    }
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
      result.whole_bytes = begin;
      continue;
    }
    auto parsed = parse_record(line);
    if (auto* record = std::get_if<ordered_json>(&parsed)) {
      result.whole_bytes = begin;
      result.unended = !complete;
      result.records.push_back(std::move(*record));
      result.lines.push_back(number);
      result.texts.emplace_back(line);
    } else if (!complete && may_be_torn(line)) {
      result.torn = true;
    } else {
      throw BadInput(fmt::format("{}:{}: {}", path.string(), number, std::get<std::string>(parsed)));
    }
  }
  if (zeros > 0) {
    result.end_note =
        fmt::format("{}zeros at its end ({} B) were left out", result.torn ? "a torn last line and " : "", zeros);
    result.torn = true;
  } else if (result.torn) {
    result.end_note = "a torn last line was left out";
  }
  return result;
}

}  // namespace sortlab
