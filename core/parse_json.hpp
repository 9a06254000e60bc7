// JSON from outside: the one parser that configs, records and profiles go through.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sortlab {

/// Nothing that we read nests deeper than ten levels; far deeper values overflow the stack when copied.
constexpr int kMostJsonLevels = 64;
/// Of a file that is one value, or of a line. The largest that we keep is a hundredth of it.
constexpr std::size_t kMostJsonBytes = std::size_t{64} << 20;
constexpr std::string_view kMostJsonText = "64 MiB";

/// A text is not JSON, or exceeds the limits. The message says which, without file or line ("not JSON"); for a number
/// that no double holds, with its place: "sweeps[0].n[0]: a number of …".
class JsonError : public std::runtime_error {
 public:
  explicit JsonError(const std::string& what, std::optional<std::size_t> byte = {})
      : std::runtime_error(what), byte_(byte) {}
  /// Offset of the first invalid byte; nothing if the text is valid JSON that exceeds a limit.
  std::optional<std::size_t> byte() const { return byte_; }

 private:
  std::optional<std::size_t> byte_;
};

/// The content of a file. Of one longer than kMostJsonBytes, or of an endless device, a little more than that many
/// bytes, which parse_json refuses. Nothing if it cannot be read.
std::optional<std::string> read_json_text(const std::filesystem::path& path);

/// Parses one value. Throws JsonError.
nlohmann::ordered_json parse_json(std::string_view text);

}  // namespace sortlab
