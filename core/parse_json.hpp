// Parser of JSON from outside, which all configs, records and profiles go through.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/json_instances.hpp"

namespace sortlab {

/// Maximum depth of nesting. Our own files nest ten levels; far deeper values overflow the stack when copied.
constexpr int kMaxJsonLevels = 64;
/// Maximum size of a file that is one value, or of a line. The largest that we keep has a hundredth of it.
constexpr std::size_t kMaxJsonBytes = std::size_t{64} << 20;
constexpr std::string_view kMaxJsonText = "64 MiB";

/// A text is not JSON, or exceeds the limits. The message says which, without file or line ("not JSON"); for a number
/// that no double holds, with its place: "sweeps[0].n[0]: a number of …".
class JsonError : public std::runtime_error {
 public:
  explicit JsonError(const std::string& what, std::optional<std::size_t> byte = {})
      : std::runtime_error(what), byte_(byte) {}
  /// Offset of the first invalid byte; nullopt if the text is valid JSON that exceeds a limit.
  std::optional<std::size_t> byte() const { return byte_; }

 private:
  std::optional<std::size_t> byte_;
};

/// Content of a file, or nullopt if it cannot be read. Reading stops a little after kMaxJsonBytes, so that parse_json
/// refuses a longer file or an endless device.
std::optional<std::string> read_json_text(const std::filesystem::path& path);

/// The text without the byte order mark that some editors put in front of UTF-8.
std::string_view without_mark(std::string_view text);

/// Parses one value. Throws JsonError, also for an object that has a key twice: readers would disagree about which of
/// the two counts.
nlohmann::ordered_json parse_json(std::string_view text);

}  // namespace sortlab
