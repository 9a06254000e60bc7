#include "harness/record/record_appender.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "core/file_lock.hpp"
#include "core/parameters.hpp"
#include "core/printable.hpp"
#include "core/replace_file.hpp"
#include "core/standard_streams.hpp"
#include "harness/record/record_reader.hpp"
#include "harness/record/run_record.hpp"

namespace sortlab {
namespace {

constexpr char kBegin[] = "{\"schema\":1,\"kind\":\"";  ///< beginning of every record written here

/// Throws BadInput unless the bytes after the last whole line are the beginning of a record: only that may be cut off.
/// Zeros may be cut too: a file system may leave them in place of data written before a power failure.
void check_torn_line(int file, std::int64_t begin, const std::filesystem::path& path) {
  char buffer[sizeof kBegin];
  ssize_t got = pread(file, buffer, sizeof kBegin - 1, begin);
  while (got > 0 && buffer[got - 1] == '\0') --got;  // the reader made sure that nothing comes after them
  if (got > 0 && std::string_view(buffer, static_cast<std::size_t>(got)) !=
                     std::string_view(kBegin).substr(0, static_cast<std::size_t>(got))) {
    throw BadInput(fmt::format("out: {} ends in something that is no record; give another --out", path.string()));
  }
}

/// Opens a file to append to, or a pipe for writing alone: were it open for reading too, a reader that has gone would
/// not be noticed. Throws BadInput for a pipe without a reader, WriteError for what cannot be opened.
int open_to_append(const std::filesystem::path& path) {
  struct stat before {};
  const bool is_pipe = stat(path.c_str(), &before) == 0 && S_ISFIFO(before.st_mode);
  // A worker must not inherit the file, or the lock would outlive a killed supervisor.
  const int file = is_pipe ? open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)  // would wait for a reader otherwise
                           : open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0 && is_pipe && errno == ENXIO) {
    throw BadInput(fmt::format("out: {} is a pipe that nobody reads; give a file", path.string()));
  }
  if (file < 0) throw WriteError(fmt::format("out: cannot write {}: {}", path.string(), std::strerror(errno)));
  if (is_pipe) fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
  return file;
}

/// The name that an open file has now, or an empty text.
std::string present_name(int file) {
  std::error_code error;
  const std::filesystem::path name = std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", file), error);
  return error ? "" : name.string();
}

/// Throws BadInput for a regular file to which standard output or standard error go, too: what is printed would stand
/// between the records, or in place of them.
void check_not_a_standard_stream(const std::filesystem::path& path) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    if (!leads_to(path, stream)) continue;
    throw BadInput(fmt::format("out: {} is where standard {} goes; give another --out, or --json to print the records",
                               path.string(), stream == STDOUT_FILENO ? "output" : "error"));
  }
}

/// The first `bytes` of a file, or as many as there are.
std::string read_first(int file, std::size_t bytes) {
  std::string text(bytes, '\0');
  std::size_t have = 0;
  while (have < bytes) {
    const ssize_t got = pread(file, text.data() + have, bytes - have, static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<std::size_t>(got);
  }
  text.resize(have);
  return text;
}

std::array<timespec, 2> file_times(const struct stat& facts) {
  return {facts.st_mtim, facts.st_ctim};
}

bool are_equal(const std::array<timespec, 2>& a, const std::array<timespec, 2>& b) {
  return std::ranges::equal(
      a, b, [](const timespec& x, const timespec& y) { return x.tv_sec == y.tv_sec && x.tv_nsec == y.tv_nsec; });
}

constexpr std::size_t kMaxText = 4096;     ///< characters of a text, by the schema of records
constexpr std::size_t kLongestEscape = 6;  ///< characters that show one byte: \u202e

bool has_long_text(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().size() > kMaxText / kLongestEscape;
  return value.is_structured() && std::ranges::any_of(value, has_long_text);
}

/// Cuts texts that are longer than any reader of records allows: a sort's message, a word of the command line.
void cut_long_texts(nlohmann::ordered_json& value) {
  if (value.is_structured()) {
    for (nlohmann::ordered_json& part : value) cut_long_texts(part);
  }
  if (!value.is_string()) return;
  const std::string shown = printable(value.get_ref<const std::string&>());
  if (shown.size() <= kMaxText) return;
  const auto characters = std::ranges::count_if(shown, [](char c) { return (c & 0xC0) != 0x80; });
  if (static_cast<std::size_t>(characters) <= kMaxText) return;
  std::size_t end = kMaxText - 1;
  while ((shown[end] & 0xC0) == 0x80) --end;
  value = shown.substr(0, end) + "…";
}

}  // namespace

void RecordAppender::refuse_output(const std::filesystem::path& path) {
  if (!is_piped_output(path.c_str())) return;
  throw BadInput(fmt::format("out: {} is where the table goes; give another --out, or --json to print the records",
                             path.string()));
}

void RecordAppender::refuse_compressed(const std::filesystem::path& path) {
  if (path.extension() != ".gz") return;
  throw BadInput(fmt::format("out: {}: records are written as text; allowed: a name without .gz", path.string()));
}

RecordAppender::RecordAppender(std::filesystem::path path) : path_(std::move(path)) {
  refuse_compressed(path_);
  std::error_code error;
  if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), error);
  if (error) {
    throw WriteError(fmt::format("out: cannot make {}: {}", path_.parent_path().string(), error.message()));
  }
  file_ = open_to_append(path_);
  outlive_readers();
  struct stat facts {};
  // A device or a pipe (/dev/stdout, /dev/full) has nothing to lock, to read or to repair.
  is_plain_ = fstat(file_, &facts) != 0 || S_ISREG(facts.st_mode);
  if (!is_plain_) return;
  bool unended = false;
  try {
    check_not_a_standard_stream(path_);
    const FileLockAnswer answer = lock_file(file_);
    if (answer.lock == FileLock::held) {
      throw BadInput(
          fmt::format("out: another program is writing {}; wait for it or give another --out", path_.string()));
    }
    if (answer.lock == FileLock::impossible) {
      notes_.push_back(fmt::format("out: {}: cannot be locked ({}); a second run on it ends one of the two",
                                   path_.string(), answer.reason));
    }
    RecordFile found = read_records(path_);
    if (found.is_compressed) {
      throw BadInput(
          fmt::format("out: {} is compressed; unpack it with gunzip, or give another --out", path_.string()));
    }
    check_torn_line(file_, static_cast<std::int64_t>(found.whole_bytes), path_);
    content_ = read_first(file_, found.whole_bytes);
    before_ = std::move(found.records);
    is_named_ = leads_to(path_, file_);
    unended = found.unended;
    if (found.torn) notes_.push_back(fmt::format("out: {}: {}", path_.string(), found.end_note));
    if (const std::string later = note_on_later_runs(before_); !later.empty()) {
      notes_.push_back(fmt::format("out: {}: {}", path_.string(), later));
    }
  } catch (...) {
    close(file_);
    throw;
  }
  // A file that can only be appended to (chattr +a) needs no cut where all is whole.
  const auto end = static_cast<off_t>(content_.size());
  if (facts.st_size != end && ftruncate(file_, end) != 0) {
    const int reason = errno;
    close(file_);
    throw WriteError(fmt::format("out: cannot cut the torn end of {} off: {}; give another --out", path_.string(),
                                 std::strerror(reason)));
  }
  if (fstat(file_, &facts) == 0) times_ = file_times(facts);
  if (!unended) return;
  try {
    append_bytes("\n");  // ends the last record, whose cell counts as done
  } catch (...) {
    close(file_);
    throw;
  }
}

RecordAppender::~RecordAppender() {
  close(file_);
}

std::string record_line(const nlohmann::ordered_json& record) {
  if (has_long_text(record)) {
    nlohmann::ordered_json cut = record;
    cut_long_texts(cut);
    return cut.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  }
  // The command line, which is in the run's record, need not be UTF-8.
  return record.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void RecordAppender::append(const nlohmann::ordered_json& record) {
  append_bytes(record_line(record) + '\n');
}

void RecordAppender::check_alone() const {
  check_before_append();
  // A file system may keep times so coarsely that those of our last write hide another one.
  if (is_plain_) compare_content();
}

void RecordAppender::check_before_append() const {
  struct stat facts {};
  if (!is_plain_ || fstat(file_, &facts) != 0) return;
  if (facts.st_nlink == 0) {
    throw WriteError(fmt::format("out: {} was removed or replaced meanwhile; {}, and no further record is kept",
                                 path_.string(), save_records()));
  }
  if (is_named_ && !leads_to(path_, file_)) {
    // Its name leads elsewhere where something was mounted over it.
    const std::string name = present_name(file_);
    const std::string where = leads_to(name, file_) ? "the records of this run are in " + name : save_records();
    throw WriteError(fmt::format("out: {} was renamed, replaced or hidden meanwhile; {}, and no further record is kept",
                                 path_.string(), where));
  }
  const bool has_grown = facts.st_size > static_cast<off_t>(content_.size());
  const bool has_shrunk = facts.st_size < static_cast<off_t>(content_.size());
  // Changed times alone are no fault: `touch`, chmod, or a server whose clock differs.
  if (has_grown || has_shrunk || !are_equal(times_, file_times(facts))) compare_content();
  if (has_grown) {
    throw WriteError(fmt::format(
        "out: another program writes to {}; what is in it stays, and no further record is kept", path_.string()));
  }
}

void RecordAppender::compare_content() const {
  const std::string found = read_first(file_, content_.size());
  const auto [ours, theirs] = std::ranges::mismatch(content_, found);
  if (ours == content_.end()) return;
  throw WriteError(fmt::format(
      "out: another program {} {} meanwhile, from byte {} on; {}, and no further record is kept",
      theirs == found.end() ? "cut off" : "overwrote", path_.string(), ours - content_.begin() + 1, save_records()));
}

std::string RecordAppender::save_records() const {
  if (content_.empty()) return "it had no record yet";
  std::filesystem::path name;
  std::error_code none;
  int number = 1;
  do {
    name = fmt::format("{}.whole{}", path_.string(), number == 1 ? "" : fmt::format("-{}", number));
    ++number;
  } while (std::filesystem::exists(std::filesystem::symlink_status(name, none)));
  try {
    replace_file(name, content_);
  } catch (const std::exception& error) {
    return fmt::format("the records are lost: {}", error.what());
  }
  return fmt::format("the records are in {}", name.string());
}

void RecordAppender::append_bytes(const std::string& line) {
  check_before_append();
  std::size_t written = 0;
  int reason = is_plain_ ? 0 : write_patiently(file_, line);
  while (is_plain_ && reason == 0 && written < line.size()) {
    const ssize_t wrote = write(file_, line.data() + written, line.size() - written);
    if (wrote > 0) written += static_cast<std::size_t>(wrote);
    if (wrote == 0) reason = ENOSPC;
    if (wrote < 0 && errno != EINTR) reason = errno;
  }
  if (reason == 0) reason = synchronise(file_);  // some file systems report a full disk only here
  struct stat facts {};
  if (reason == 0) {
    if (!is_plain_) return;
    content_ += line;
    if (fstat(file_, &facts) == 0) times_ = file_times(facts);
    return;
  }
  // Should even this fail, reopening cuts the torn line off.
  const auto end = static_cast<off_t>(content_.size());
  const bool only_ours = fstat(file_, &facts) == 0 && facts.st_size == end + static_cast<off_t>(written);
  const bool cut = only_ours && ftruncate(file_, end) == 0;
  throw WriteError(fmt::format("out: cannot append to {}: {}; its records so far are whole{}", path_.string(),
                               std::strerror(reason), cut || !is_plain_ ? "" : ", and a torn line follows"));
}

void RecordAppender::append_once(const nlohmann::ordered_json& record) {
  const auto holds = [&](const auto& records) { return std::ranges::find(records, record) != records.end(); };
  if (holds(before_) || holds(once_)) return;
  append(record);
  once_.push_back(record);
}

}  // namespace sortlab
