// Files of a user's own, which inputs are read from. They are read by parts, never mapped, so that a file that shrinks
// under a run costs a message and no signal.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "core/bad_input.hpp"
#include "core/descriptor.hpp"

namespace sortlab {

/// Facts of a file that change with every write, and so tell that it is still the one that was read.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< time of the last change of content, since 1970
  std::int64_t changed_ns = 0;   ///< time of the last change of content, name or mode, since 1970

  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

/// A file that changed while it was in use. The message names it.
class FileChanged : public BadInput {
 public:
  using BadInput::BadInput;
};

/// Throws BadInput: "file PATH: WHY".
[[noreturn]] void refuse_file(const std::string& path, std::string_view why);

/// Opens a regular file and returns its identity. Throws BadInput for anything else: at once for a pipe, which would
/// otherwise wait for a writer.
std::pair<Descriptor, FileIdentity> open_regular_file(const std::string& path);

/// Reads up to `bytes` bytes from `offset` on; fewer only at the end of the file. Throws std::runtime_error.
std::uint64_t read_bytes(int file, const std::string& name, std::uint64_t offset, std::uint64_t bytes, void* to);

/// Reads a file that was opened before. Several threads may read at once. Its messages name no folder, since records
/// keep them.
class UserFileReader {
 public:
  /// Opens the file. Throws FileChanged unless it is the same as before.
  UserFileReader(const std::string& path, const FileIdentity& identity);

  /// Reads `bytes` bytes from `offset` on. Throws FileChanged if the file has become too short, and std::runtime_error
  /// if it cannot be read.
  void read(std::uint64_t offset, std::uint64_t bytes, void* to) const;

  /// Throws FileChanged if the file has changed since it was opened first.
  void check_unchanged() const;

 private:
  std::string name_;
  FileIdentity identity_;
  Descriptor descriptor_;
};

/// Fills a buffer with the bytes of a chunk, for its digest, and returns them. Called by several threads at once.
using ChunkReader = std::function<std::string_view(std::uint64_t chunk, std::string& buffer)>;

/// First 16 digits of the SHA-256 of `head`, a line of text, and of the SHA-256 of each chunk: a tree, so that all
/// processors share the work. `head` is asked for when all chunks have been read.
std::string tree_digest(std::uint64_t chunks, const ChunkReader& read, const std::function<std::string()>& head);

/// Path and identity as text for another process on this machine, and the inverse. A path is bytes, not text: it is
/// written in hexadecimal digits.
std::string hexadecimal(std::string_view bytes);
std::string bytes_from_hexadecimal(std::string_view digits);
nlohmann::ordered_json to_json(const FileIdentity&);
FileIdentity identity_from_json(const nlohmann::ordered_json&);

}  // namespace sortlab
