// Atomic replacement of files.
#pragma once

#include <filesystem>
#include <string_view>

namespace sortlab {

/// Makes `text` the content of a file, creating its folder if necessary: written to a temporary file first, so that
/// after a kill, or for a reader, there is either the old file or the new one. Anything but a plain file (/dev/null) is
/// written to directly. Throws std::runtime_error.
void replace_file(const std::filesystem::path& path, std::string_view text);

}  // namespace sortlab
