#include "core/file_lock.hpp"

#include <sys/file.h>
#include <sys/stat.h>

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

bool leads_to(const std::filesystem::path& path, int file) {
  struct stat named {};
  struct stat opened {};
  return stat(path.c_str(), &named) == 0 && fstat(file, &opened) == 0 && named.st_dev == opened.st_dev &&
         named.st_ino == opened.st_ino;
}

}  // namespace sortlab
