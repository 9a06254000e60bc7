// Locks of files that another process may be writing.
#pragma once

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

}  // namespace sortlab
