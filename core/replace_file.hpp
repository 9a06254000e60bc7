// Files that are whole at every moment.
#pragma once

#include <filesystem>
#include <string_view>

namespace sortlab {

/// Makes `text` the content of a file, in a folder that is made if need be: written beside it first, so that a reader,
/// or a kill, finds the old file or the new one. What is no plain file (/dev/null) is written to. Throws
/// std::runtime_error.
void replace_file(const std::filesystem::path& path, std::string_view text);

}  // namespace sortlab
