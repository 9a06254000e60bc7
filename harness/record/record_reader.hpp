// Reads records (results/README.md), perhaps from a stranger: only what is checked is trusted.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sortlab {

struct RecordFile {
  std::vector<nlohmann::ordered_json> records;  ///< objects with `schema` 1 and a `kind`
  std::vector<std::size_t> lines;               ///< the line of each, from 1
  std::vector<std::string> texts;               ///< each as it was written, without its line break
  bool torn = false;                            ///< something at the end was left out: `end_note` says what
  std::string end_note;                         ///< "a torn last line was left out", what a kill while writing leaves
  std::size_t whole_bytes = 0;                  ///< up to the end of the last whole line; torn is what follows
  bool unended = false;                         ///< the last record is whole but lacks its line break
};

/// A record is whole when it can be read, be the last one's line break there or not. Zeros at the end of the file are
/// what a file system may leave of a line after a power failure: torn. Throws BadInput naming file and line if the file
/// cannot be read, a line is not a record or is longer than kMostJsonBytes, or a measurement's members are of other
/// types than results/README.md says.
RecordFile read_records(const std::filesystem::path& path);

}  // namespace sortlab
