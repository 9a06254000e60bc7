// SHA-256 (FIPS 180-4): commitments that anybody can recompute, with any tool. Names derived from content use text_hash
// (identity.hpp), which is faster.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sortlab {

/// The digest of `text` as 64 hexadecimal digits.
std::string sha256_hex(std::string_view text);

/// The digest of a file, as `sha256sum` prints it. Throws std::runtime_error if the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace sortlab
