// The union of result sets.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sortlab {

struct MergeReport {
  std::size_t records = 0;             ///< records in the union
  std::size_t duplicates = 0;          ///< records left out as duplicates
  std::vector<std::string> conflicts;  ///< records of one identity that differ: their places and fields
  std::vector<std::string> notes;      ///< torn lines left out
};

/// Writes the records of `inputs`, and of `out` if it exists, to `out`: each once, unchanged, in order of first
/// appearance. Records are the same if they agree in kind and identity (results/README.md): the id of a run; key and
/// run of a measurement or component; cell, model and profile of a prediction; all fields of a published number. If two
/// records of one identity differ, nothing is written, and the report names them. The file changes as a whole or not at
/// all. Throws BadInput if an input cannot be read, std::runtime_error if `out` cannot be written.
MergeReport merge(const std::vector<std::filesystem::path>& inputs, const std::filesystem::path& out);

}  // namespace sortlab
