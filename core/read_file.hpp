// The content of a file.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace sortlab {

/// All bytes of a file, or nullopt if it cannot be read.
inline std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  std::string bytes{std::istreambuf_iterator<char>{file}, {}};
  if (!file) return std::nullopt;
  return bytes;
}

}  // namespace sortlab
