// The files of a folder that its reader means.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

namespace sortlab {

enum class FolderDepth { alone, with_subfolders };

/// Files of `folder` whose name ends in `extension` (".jsonl"), sorted by path; none where the folder is missing.
/// Hidden files and folders are left out: macOS writes `._x.jsonl` beside x.jsonl on other file systems, and file
/// servers keep old versions in `.snapshot/`. Python's readers have the same rule (plots/records/folders.py).
inline std::vector<std::filesystem::path> visible_files(const std::filesystem::path& folder, std::string_view extension,
                                                        FolderDepth depth) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  std::error_code missing;
  for (fs::recursive_directory_iterator entry{folder, missing}, end; entry != end; ++entry) {
    const fs::path& path = entry->path();
    if (path.filename().string().starts_with('.') || depth == FolderDepth::alone) entry.disable_recursion_pending();
    if (path.filename().string().starts_with('.') || !path.string().ends_with(extension)) continue;
    // The reader of the file judges where a link leads.
    if (!fs::is_directory(entry->symlink_status())) files.push_back(path);
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace sortlab
