#include "harness/record/record_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <variant>

#include "core/gunzip.hpp"
#include "core/parameters.hpp"
#include "core/parse_json.hpp"
#include "harness/record/contradictions.hpp"
#include "harness/record/json_schema.hpp"
#include "record_schema.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// The schema of records, which Python's reader has, too.
const JsonSchema& record_schema() {
  static const JsonSchema schema{nlohmann::ordered_json::parse(kRecordSchema)};
  return schema;
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
  if (auto fault = record_schema().fault(record)) return std::move(*fault);
  if (auto fault = own_contradiction(record)) return std::move(*fault);
  return record;
}

/// True for a file that begins with UTF-16's byte order mark.
bool is_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

/// True for a line that begins with a whole JSON object, valid or not: its first bracket is closed.
bool begins_with_object(std::string_view line) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (in_text) {
      if (line[i] == '\\')
        ++i;
      else if (line[i] == '"')
        in_text = false;
    } else if (line[i] == '"') {
      in_text = true;
    } else if (line[i] == '{') {
      ++depth;
    } else if (line[i] == '}' && --depth == 0) {
      return true;
    }
  }
  return false;
}

/// True if a kill during a write can have left this: the beginning of a record, however short. Records that other
/// programs have put on one line, or end in carriage returns, were not torn by a kill, and may not be cut off.
bool may_be_torn(std::string_view line) {
  constexpr std::string_view begin = R"({"schema":)";
  const std::size_t shared = std::min(line.size(), begin.size());
  return line.substr(0, shared) == begin.substr(0, shared) && line.find('\r') == std::string_view::npos &&
         !begins_with_object(line);
}

/// The fault of a line that is no record, with its likely cause.
std::string explain(std::string_view line, const std::string& fault) {
  const std::size_t carriage_return = line.substr(0, line.find_last_not_of(" \t\r") + 1).find('\r');
  if (carriage_return == std::string_view::npos) return fault;
  return fmt::format("has a carriage return at byte {}; allowed: lines that end in a line feed", carriage_return + 1);
}

// A pipe may have no end, and a small compressed file a large content. All kept records together are a sixth of this.
constexpr std::size_t kMaxPipeBytes = std::size_t{512} << 20;
constexpr std::string_view kMaxPipeText = "512 MiB";

/// The text of a compressed file.
std::string unpack(const std::string& bytes, const std::filesystem::path& path) {
  try {
    return gunzip(bytes, kMaxPipeBytes);
  } catch (const std::runtime_error& error) {
    throw BadInput(fmt::format("{}: {}; allowed: a file of gzip, whole, with at most {}", path.string(), error.what(),
                               kMaxPipeText));
  }
}

std::string read_whole(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw BadInput(fmt::format("{}: is a folder; a file of records (*.jsonl) is needed", path.string()));
  }
  if (std::filesystem::is_character_file(path, error) || std::filesystem::is_block_file(path, error)) {
    throw BadInput(fmt::format("{}: is a device; a file of records (*.jsonl) is needed", path.string()));
  }
  std::ifstream file{path, std::ios::binary};
  if (!file) throw BadInput(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  const bool is_pipe = std::filesystem::is_fifo(path, error);  // may have no end
  std::string text;
  std::string block(std::size_t{1} << 20, '\0');
  std::size_t line = 0;  // bytes since the last line break
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    const std::string_view got = std::string_view{block}.substr(0, static_cast<std::size_t>(file.gcount()));
    const std::size_t newline = got.rfind('\n');
    line = newline == std::string_view::npos ? line + got.size() : got.size() - newline - 1;
    text += got;
    if (line > kMaxJsonBytes && !is_gzip(text)) {
      throw BadInput(fmt::format("{}:{}: too long; allowed: {} a line", path.string(),
                                 1 + std::ranges::count(text, '\n'), kMaxJsonText));
    }
    if (is_pipe && text.size() > kMaxPipeBytes) {
      throw BadInput(
          fmt::format("{}: is a pipe with more than {}; write it to a file first", path.string(), kMaxPipeText));
    }
  }
  if (file.bad()) throw BadInput(fmt::format("{}: cannot be read: {}", path.string(), std::strerror(errno)));
  return text;
}

}  // namespace

RecordFile read_records(const std::filesystem::path& path, const std::vector<std::string>& marks) {
  std::string text = read_whole(path);
  RecordFile result;
  result.is_compressed = is_gzip(text);
  if (result.is_compressed) text = unpack(text, path);
  if (is_utf16(text)) throw BadInput(fmt::format("{}: is UTF-16; allowed: UTF-8, as Sortlab writes", path.string()));
  const std::size_t zeros = text.size() - (text.find_last_not_of('\0') + 1);
  text.resize(text.size() - zeros);
  std::size_t number = 0;
  EarlierRecords earlier;
  const auto name_line = [&](std::size_t record) { return fmt::format("line {}", result.lines[record]); };
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
    const bool is_passed_over = complete && !marks.empty() && std::ranges::none_of(marks, [&](const std::string& mark) {
                                  return line.find(mark) != std::string_view::npos;
                                });
    if (is_passed_over || line.find_first_not_of(" \t\r") == std::string_view::npos) {
      result.whole_bytes = begin;
      continue;
    }
    auto parsed = parse_record(line);
    if (auto* record = std::get_if<ordered_json>(&parsed)) {
      result.whole_bytes = begin;
      result.unended = !complete;
      if (auto contradiction = earlier.take(*record, result.records, name_line)) {
        throw BadInput(fmt::format("{}:{}: {}", path.string(), number, *contradiction));
      }
      result.records.push_back(std::move(*record));
      result.lines.push_back(number);
      result.texts.emplace_back(line.substr(0, line.find_last_not_of(" \t\r") + 1));
    } else if (!complete && may_be_torn(line)) {
      result.torn = true;
    } else {
      throw BadInput(fmt::format("{}:{}: {}", path.string(), number, explain(line, std::get<std::string>(parsed))));
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

std::vector<std::filesystem::path> record_files(const std::filesystem::path& folder, FolderDepth depth) {
  std::vector<std::filesystem::path> files = visible_files(folder, ".jsonl", depth);
  std::ranges::move(visible_files(folder, ".jsonl.gz", depth), std::back_inserter(files));
  std::ranges::sort(files);
  return files;
}

}  // namespace sortlab
