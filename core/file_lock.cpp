#include "core/file_lock.hpp"

#include <sys/file.h>

#include <cerrno>
#include <cstring>

namespace sortlab {

FileLockAnswer lock_file(int file) {
  int failed = 0;
  while ((failed = flock(file, LOCK_EX | LOCK_NB)) != 0 && errno == EINTR) {
  }
  if (failed == 0) return {};
  if (errno == EWOULDBLOCK) return {.lock = FileLock::held};
  return {.lock = FileLock::impossible, .reason = std::strerror(errno)};
}

}  // namespace sortlab
