// Locks of files that another process may be writing or replacing.
#pragma once

#include <filesystem>
#include <string>

namespace sortlab {

enum class FileLock {
  taken,
  held,        ///< another process holds it
  impossible,  ///< the file system, or the way that the file was opened, does not allow locks
};

struct FileLockAnswer {
  FileLock lock = FileLock::taken;
  std::string reason{};  ///< for impossible: the system's message
};

/// Locks an open file for this process, without waiting, until its descriptor is closed.
FileLockAnswer lock_file(int file);

/// True if the path leads to the open file, which another may have replaced.
bool leads_to(const std::filesystem::path& path, int file);

}  // namespace sortlab
