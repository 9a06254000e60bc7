// Appender of records to a run's file: only whole records, whatever happens to the program or the disk.
#pragma once

#include <array>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace sortlab {

/// A record could not be written; the file ends with the last whole one. The message is one line with file and reason.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The text of a record in a file, without its line break.
std::string record_line(const nlohmann::ordered_json& record);

class RecordAppender {
 public:
  /// Opens or creates the file (and its folders), locks it against a second run, reads it, cuts off a torn end, and
  /// completes a last record that lacks only its line break. Throws BadInput if another run holds it, or if it holds
  /// anything but records; WriteError if it cannot be created. Where the file system has no locks, a second run is
  /// noticed by the file's size before each record is appended. Keeps what the file holds in memory.
  explicit RecordAppender(std::filesystem::path path);
  /// Throws BadInput for the pipe that is standard output, as /dev/stdout may be: for commands that print a table
  /// there.
  static void refuse_output(const std::filesystem::path& path);
  /// Throws BadInput for a name that promises a compressed file: records are appended as text.
  static void refuse_compressed(const std::filesystem::path& path);
  RecordAppender(const RecordAppender&) = delete;
  RecordAppender& operator=(const RecordAppender&) = delete;
  ~RecordAppender();

  /// The file's content when it was opened.
  const std::vector<nlohmann::ordered_json>& before() const { return before_; }
  const std::filesystem::path& path() const { return path_; }
  /// Lines for the user, which name the file: what was cut off, and that the file system has no locks.
  const std::vector<std::string>& notes() const { return notes_; }

  /// Appends one line and waits until it is on disk. Throws WriteError, with nothing of the record left in the file.
  void append(const nlohmann::ordered_json& record);
  /// Appends the record unless the file held an equal one when it was opened, or append_once wrote it since.
  void append_once(const nlohmann::ordered_json& record);
  /// Throws WriteError unless the path still leads to the file, and every byte is as this appender left it: a run ends
  /// with this check. Records that are in no file any more are written to a new one, which the message names.
  void check_alone() const;

 private:
  /// Does the same before each record, but reads the file only where its size or times are not those that the last
  /// record left, since reading it each time would cost much.
  void check_before_append() const;
  void compare_content() const;
  /// Writes the records to a new file beside the old one, and says where they are.
  std::string save_records() const;
  void append_bytes(const std::string& line);

  std::filesystem::path path_;
  std::vector<std::string> notes_;
  std::vector<nlohmann::ordered_json> before_;
  std::vector<nlohmann::ordered_json> once_;  ///< records that append_once appended
  int file_ = -1;
  bool is_plain_ = true;
  bool is_named_ = false;  ///< the path led to the file when it was opened; some file systems' numbers do not tell
  std::string content_;    ///< the file's bytes, as this appender knows them
  std::array<timespec, 2> times_{};  ///< the file's times of modification and of change, after its last write
};

}  // namespace sortlab
