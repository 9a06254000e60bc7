// Files of keys: a NumPy array of one dimension, a field of a structured one, or raw little-endian keys.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "generators/distribution.hpp"
#include "generators/user_file.hpp"

namespace sortlab {

/// The place of keys in a file, and what is known of them.
struct KeyFile {
  std::string path;
  std::string column;  ///< field of a structured type; empty: the type is plain
  KeyType key = KeyType::u32;
  std::uint64_t n = 0;
  std::uint64_t begin = 0;  ///< bytes before the first key
  std::uint64_t step = 0;   ///< bytes from one key to the next
  FileIdentity identity;
  std::string digest;       ///< digest_of_keys()
  bool odd_floats = false;  ///< true: some keys are NaN, or zeros of both signs occur
};

/// The file that a user names.
struct KeyFileName {
  std::string path;
  std::string column{};          ///< field of a structured type
  std::optional<KeyType> raw{};  ///< key type of a file that is no .npy file
};

/// True if `path` cannot be opened as a .npy file because it does not begin like one, nor is called one. False if it
/// cannot be read.
bool is_raw_key_file(const std::string& path);

/// Bytes of the field `column` of a .npy file. Throws BadInput if there is none.
std::uint64_t column_bytes(const std::string& path, const std::string& column);

/// Opens a file and reads all of it once, by all processors, for the digest. Answers are kept, and given again for a
/// file that has not changed. Throws BadInput that names the file and what is allowed.
KeyFile open_key_file(const KeyFileName& name);

/// Is given each chunk of a file's keys: the file, without its digest, the first key's index, the number of keys, and
/// the keys. Called by several threads at once.
using KeyVisitor = std::function<void(const KeyFile&, std::uint64_t, std::uint64_t, const std::byte*)>;

/// The same, and shows all keys to `visit` in the same pass, whether the file was opened before or not.
KeyFile open_key_file(const KeyFileName& name, const KeyVisitor& visit);

/// Makes a file known to this process, so that its keys are found by their digest.
void add_key_file(const KeyFile& file);
/// The file whose keys have this digest, or nullptr if none is known.
const KeyFile* key_file(std::string_view digest);

/// A KeyFile as text for another process on this machine, and the inverse.
std::string to_text(const KeyFile& file);
KeyFile key_file_from_text(std::string_view text);

/// Reads keys of a known file. Several threads may read at once.
class KeyFileReader {
 public:
  /// Opens the file. Throws FileChanged unless it is the same as when it was added.
  explicit KeyFileReader(const KeyFile& file) : file_(file), reader_(file.path, file.identity) {}

  /// Writes `count` keys from `first` on to `keys`. Throws FileChanged if the file has become too short, and
  /// std::runtime_error if it cannot be read.
  void read(std::uint64_t first, std::uint64_t count, std::byte* keys) const;

  /// Throws FileChanged if the file has changed since it was added.
  void check_unchanged() const { reader_.check_unchanged(); }

 private:
  const KeyFile& file_;
  UserFileReader reader_;
};

}  // namespace sortlab
