// Records that keep to the schema and yet contradict themselves, or an earlier record of their file. Python's reader
// knows the same rules (plots/records/contradictions.py), and a corpus of files is asked of both.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sortlab {

/// A member of the record that contradicts another, in words, or nullopt. `record` keeps to the schema.
std::optional<std::string> own_contradiction(const nlohmann::ordered_json& record);

/// Contradictions between the records of a file, which are taken in its order: a cell is one case, a run is of one
/// machine, and has one record of each key.
class EarlierRecords {
 public:
  /// A member of `record` that contradicts one of the `earlier` records, all of which were taken, in words, or nullopt.
  /// `lines`: number of each earlier record's line.
  std::optional<std::string> take(const nlohmann::ordered_json& record,
                                  const std::vector<nlohmann::ordered_json>& earlier,
                                  const std::vector<std::size_t>& lines);

 private:
  // Places among the earlier records.
  std::map<std::string, std::size_t> cells_;     ///< first record of each cell
  std::map<std::string, std::size_t> runs_;      ///< record of each run
  std::map<std::string, std::size_t> measured_;  ///< first record of each kind, run and key
};

}  // namespace sortlab
