// Reads records (results/README.md), perhaps from a stranger: nothing is trusted but the form.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sortlab {

struct RecordFile {
  std::vector<nlohmann::ordered_json> records;  ///< objects with `schema` 1 and a `kind`
  std::vector<std::size_t> lines;               ///< where each stands, from 1
  std::vector<std::string> texts;               ///< each as it was written, without its line break
  bool torn = false;                            ///< a last, incomplete line (a kill while writing) was left out
};

/// Throws BadInput naming file and line if the file cannot be read or a line is no record.
RecordFile read_records(const std::filesystem::path& path);

}  // namespace sortlab
