#include "harness/record/record_appender.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "core/parameters.hpp"
#include "harness/record/record_reader.hpp"

namespace sortlab {
namespace {

constexpr char kBegin[] = "{\"schema\":1,\"kind\":\"";  ///< of every record written here

/// Where the last whole line ends: the torn rest is what a kill in the middle of a write left.
std::int64_t end_of_last_line(int file) {
  std::int64_t end = lseek(file, 0, SEEK_END);
  char buffer[4096];
  while (end > 0) {
    const std::int64_t begin = std::max<std::int64_t>(0, end - static_cast<std::int64_t>(sizeof buffer));
    const ssize_t got = pread(file, buffer, static_cast<std::size_t>(end - begin), begin);
    if (got <= 0) return end;
    for (ssize_t i = got; i > 0; --i) {
      if (buffer[i - 1] == '\n') return begin + i;
    }
    end = begin;
  }
  return 0;
}

/// What follows the last whole line must be the begin of a record, or it is not ours to cut off.
void check_torn_line(int file, std::int64_t begin, const std::filesystem::path& path) {
  char buffer[sizeof kBegin];
  const ssize_t got = pread(file, buffer, sizeof kBegin - 1, begin);
  if (got > 0 && std::string_view(buffer, static_cast<std::size_t>(got)) !=
                     std::string_view(kBegin).substr(0, static_cast<std::size_t>(got))) {
    throw BadInput(fmt::format("out: {} ends in something that is no record; give another --out", path.string()));
  }
}

}  // namespace

RecordAppender::RecordAppender(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), error);
  if (error) {
    throw WriteError(fmt::format("out: cannot make {}: {}", path_.parent_path().string(), error.message()));
  }
  // A worker must not inherit the file, or the lock would outlive a killed supervisor.
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file_ < 0) throw WriteError(fmt::format("out: cannot write {}: {}", path_.string(), std::strerror(errno)));
  struct stat facts {};
  // A device or a pipe (/dev/stdout, /dev/full) has nothing to lock, to read or to mend.
  if (fstat(file_, &facts) == 0 && !S_ISREG(facts.st_mode)) return;
  try {
    if (flock(file_, LOCK_EX | LOCK_NB) != 0) {
      throw BadInput(fmt::format("out: another run is writing {}; wait for it or give another --out", path_.string()));
    }
    end_ = end_of_last_line(file_);
    check_torn_line(file_, end_, path_);
    if (end_ > 0) before_ = read_records(path_).records;
  } catch (...) {
    close(file_);
    throw;
  }
  if (ftruncate(file_, end_) != 0 || lseek(file_, end_, SEEK_SET) != end_) {
    const int reason = errno;
    close(file_);
    throw WriteError(fmt::format("out: cannot mend {}: {}", path_.string(), std::strerror(reason)));
  }
}

RecordAppender::~RecordAppender() {
  close(file_);
}

void RecordAppender::append(const nlohmann::ordered_json& record) {
  const std::string line = record.dump() + '\n';
  std::size_t written = 0;
  int reason = 0;
  while (reason == 0 && written < line.size()) {
    const ssize_t wrote = write(file_, line.data() + written, line.size() - written);
    if (wrote > 0) written += static_cast<std::size_t>(wrote);
    if (wrote == 0) reason = ENOSPC;
    if (wrote < 0 && errno != EINTR) reason = errno;
  }
  // Some file systems promise space and tell only here that there is none.
  if (reason == 0 && fdatasync(file_) != 0 && errno != EINVAL && errno != EROFS) reason = errno;
  if (reason == 0) {
    end_ += static_cast<std::int64_t>(line.size());
    return;
  }
  // Should even this fail, reopening cuts the torn line off.
  if (ftruncate(file_, end_) == 0) lseek(file_, end_, SEEK_SET);
  throw WriteError(
      fmt::format("out: cannot append to {}: {}; its records so far are whole", path_.string(), std::strerror(reason)));
}

void RecordAppender::append_once(const nlohmann::ordered_json& record) {
  const auto holds = [&](const auto& records) { return std::ranges::find(records, record) != records.end(); };
  if (holds(before_) || holds(once_)) return;
  append(record);
  once_.push_back(record);
}

}  // namespace sortlab
