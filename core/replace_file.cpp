#include "core/replace_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "core/descriptor.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kModeBits = 07777;

[[noreturn]] void fail(const fs::path& path, int error) {
  throw std::runtime_error(fmt::format("cannot write '{}': {}", path.string(), std::strerror(error)));
}

/// The file that a path leads to, whether it exists or not.
fs::path end_of_links(fs::path path) {
  constexpr int kMaxLinks = 40;  // the kernel's limit
  std::error_code none;
  for (int i = 0; i < kMaxLinks; ++i) {
    const fs::path leads_to = fs::read_symlink(path, none);
    if (none) return path;
    path = leads_to.is_absolute() ? leads_to : path.parent_path() / leads_to;
  }
  fail(path, ELOOP);
}

/// Writes the whole text. Returns 0 or the error.
int write_whole(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Writes to an existing file. If that fails, puts back what it held, as far as that can be.
void write_in_place(const fs::path& path, std::string_view text, bool is_plain) {
  const Descriptor file{open(path.c_str(), (is_plain ? O_RDWR : O_WRONLY) | O_CLOEXEC), path.c_str()};
  std::string before;
  if (is_plain) {
    std::array<char, 65536> piece{};
    ssize_t got = 0;
    while ((got = read(file.get(), piece.data(), piece.size())) > 0) {
      before.append(piece.data(), static_cast<std::size_t>(got));
    }
    if (got < 0) fail(path, errno);
    if (lseek(file.get(), 0, SEEK_SET) != 0) fail(path, errno);
  }
  int error = write_whole(file.get(), text);
  if (is_plain && error == 0 && ftruncate(file.get(), static_cast<off_t>(text.size())) != 0) error = errno;
  if (is_plain && error == 0) error = synchronise(file.get());
  if (error == 0) return;
  if (is_plain && lseek(file.get(), 0, SEEK_SET) == 0 && write_whole(file.get(), before) == 0) {
    if (ftruncate(file.get(), static_cast<off_t>(before.size())) != 0) fail(path, errno);
  }
  fail(path, error);
}

/// A new file beside `target`, which replaces it when complete. It is removed if it does not.
class Successor {
 public:
  explicit Successor(const fs::path& target) {
    static std::atomic<unsigned> number{0};
    const fs::path folder = target.parent_path();
    do {
      // Not mkstemp, which would give it a mode of its own instead of the umask's.
      path_ = folder / fmt::format(".{}.{}-{}", target.filename().string().substr(0, 200), getpid(), number++);
      file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file_ < 0 && errno == EEXIST);
    error_ = file_ < 0 ? errno : 0;
  }
  Successor(const Successor&) = delete;
  Successor& operator=(const Successor&) = delete;
  ~Successor() {
    if (file_ >= 0) close(file_);
    if (!path_.empty()) unlink(path_.c_str());
  }

  /// Returns 0, or the reason for which no file could be made.
  int error() const { return error_; }

  /// Writes the text and synchronises it. Throws if it cannot be written.
  void write(const fs::path& target, std::string_view text) {
    error_ = write_whole(file_, text);
    if (error_ == 0) error_ = synchronise(file_);
    if (error_ != 0) fail(target, error_);
  }

  /// Takes the target's place, once written. Returns 0, or the reason for which it could not be renamed.
  int replace(const fs::path& target, const struct stat* old) {
    if (old != nullptr) {  // as far as the file system lets us
      if (fchown(file_, old->st_uid, old->st_gid) != 0) errno = 0;
      if (fchmod(file_, old->st_mode & kModeBits) != 0) errno = 0;
    }
    const int closed = close(std::exchange(file_, -1));
    if (closed != 0) fail(target, error_ = errno);  // a network file system may know only now that its disk is full
    if (rename(path_.c_str(), target.c_str()) != 0) return error_ = errno;
    path_.clear();
    const int folder = open(target.has_parent_path() ? target.parent_path().c_str() : ".", O_RDONLY | O_CLOEXEC);
    if (folder >= 0) {
      synchronise(folder);
      close(folder);
    }
    return 0;
  }

 private:
  fs::path path_{};
  int file_ = -1;
  int error_ = 0;
};

/// True for errors of the folder, where the file itself may still be written.
bool is_folders_error(int error) {
  constexpr std::array errors{EACCES, EPERM, EROFS, EBUSY, EXDEV};
  return std::ranges::find(errors, error) != errors.end();
}

/// True for an existing file that is neither plain nor a folder. Links such as /dev/stdout, that lead to a pipe, have
/// no other name.
bool is_special(const fs::path& path, struct stat& status) {
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

struct Target {
  fs::path path;
  bool exists;
};

/// The file to be replaced, whose folder is made, and its status where it exists. Throws if it may not be written.
Target plain_target(const fs::path& path, struct stat& old) {
  const fs::path target = end_of_links(path);
  std::error_code error;
  if (target.has_parent_path()) fs::create_directories(target.parent_path(), error);
  if (error) fail(path, error.value());
  const bool exists = stat(target.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(path, EISDIR);
  if (exists && access(target.c_str(), W_OK) != 0) fail(path, errno);  // a file that is protected stays as it is
  return {target, exists};
}

}  // namespace

int synchronise(int file) {
  if (fsync(file) == 0) return 0;
  constexpr std::array unsupported{EINVAL, EROFS, ENOSYS, EOPNOTSUPP};
  return std::ranges::find(unsupported, errno) == unsupported.end() ? errno : 0;
}

void check_replaceable(const fs::path& path) {
  struct stat old {};
  if (is_special(path, old)) {
    if (access(path.c_str(), W_OK) != 0) fail(path, errno);
    if (S_ISFIFO(old.st_mode)) return;  // opening it would wait for its reader
    const Descriptor file{open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY), path.c_str()};
    if (write(file.get(), "", 0) != 0) fail(path, errno);  // /dev/full
    return;
  }
  const auto [target, exists] = plain_target(path, old);
  const Successor successor{target};
  if (successor.error() != 0 && !(exists && is_folders_error(successor.error()))) fail(path, successor.error());
}

void replace_file(const fs::path& path, std::string_view text) {
  struct stat old {};
  if (is_special(path, old)) return write_in_place(path, text, false);
  const auto [target, exists] = plain_target(path, old);
  Successor successor{target};
  int refused = successor.error();
  if (refused == 0) {
    successor.write(target, text);
    // A file of several names is written in place, or the others would keep what it held. Until that has succeeded, the
    // whole text is beside it.
    if (exists && old.st_nlink > 1) return write_in_place(target, text, true);
    refused = successor.replace(target, exists ? &old : nullptr);
  }
  if (refused == 0) return;
  if (!exists || !is_folders_error(refused)) fail(path, refused);
  write_in_place(target, text, true);
}

}  // namespace sortlab
