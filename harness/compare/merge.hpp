// The union of result sets.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace sortlab {

struct MergeReport {
  std::size_t records = 0;             ///< in the union
  std::size_t duplicates = 0;          ///< left out, since the union had them
  std::vector<std::string> conflicts;  ///< two records of one identity that differ: where, and in which fields
  std::vector<std::string> notes;      ///< torn lines left out
};

/// Writes the records of `inputs`, and of `out` if it exists, to `out`: each once, as its line was written, in order of
/// first appearance. Records are the same if they agree in kind and identity (results/README.md): a run's id; key and
/// run of a measurement or component; cell, model and profile of a prediction; all of a published number. If two of one
/// identity differ nothing is written, and the report names them. The file changes as a whole or not at all. Throws
/// BadInput for an input that cannot be read, std::system_error if `out` cannot be written.
MergeReport merge(const std::vector<std::filesystem::path>& inputs, const std::filesystem::path& out);

}  // namespace sortlab
