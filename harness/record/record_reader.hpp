// Reader of records (results/README.md), perhaps from a stranger: only checked members are trusted.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/visible_files.hpp"

namespace sortlab {

struct RecordFile {
  std::vector<nlohmann::ordered_json> records;  ///< records as configs/schemas/record.schema.json defines them
  std::vector<std::size_t> lines;               ///< the line of each, from 1
  std::vector<std::string> texts;               ///< each as it was written, without its line break (DOS's, too)
  bool torn = false;                            ///< something at the end was left out: see `end_note`
  std::string end_note;                         ///< "a torn last line was left out": a kill while writing leaves one
  std::size_t whole_bytes = 0;                  ///< up to the end of the last whole line; torn is what follows
  bool unended = false;                         ///< the last record is whole but lacks its line break
  bool is_compressed = false;                   ///< a file of gzip: nothing can be appended
};

/// Reads a file of records, which gzip may have compressed. A record is whole when it can be parsed, with or without
/// the last line break. Zeros at the end of the file count as a torn line: a file system may leave them after a power
/// failure. Throws BadInput naming file and line if the file cannot be read, if a line is not a record or is longer
/// than kMaxJsonBytes, or if a record contradicts itself or an earlier one (contradictions.hpp). Where there are
/// `marks`, lines that hold none of these texts are passed over unread, which saves parsing them.
RecordFile read_records(const std::filesystem::path& path, const std::vector<std::string>& marks = {});

/// The files of records of a folder, compressed or not, but for hidden ones, by path.
std::vector<std::filesystem::path> record_files(const std::filesystem::path& folder, FolderDepth depth);

}  // namespace sortlab
