// Records that keep to the schema and yet contradict themselves, or an earlier record of their file. Python's reader
// knows the same rules (plots/records/contradictions.py), and a corpus of files is asked of both.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace sortlab {

/// A member of the record that contradicts another, in words, or nullopt. `record` keeps to the schema.
std::optional<std::string> own_contradiction(const nlohmann::ordered_json& record);

/// Contradictions between the records of a file, which are taken in its order: a run is of one machine, is described
/// once, and has one record of each key.
class EarlierRecords {
 public:
  using NamePlace = std::function<std::string(std::size_t)>;

  /// A member of `record` that contradicts one of the `earlier` records, all of which were taken, in words, or nullopt.
  /// `name_place` names the place of an earlier record: "line 7".
  std::optional<std::string> take(const nlohmann::ordered_json& record,
                                  const std::vector<nlohmann::ordered_json>& earlier, const NamePlace& name_place);

 private:
  // Places among the earlier records.
  std::map<std::string, std::size_t> runs_;       ///< first record of each run that names its machine
  std::map<std::string, std::size_t> described_;  ///< record of kind `run` of each run
  std::map<std::string, std::size_t> measured_;   ///< first record of each kind, run and key
};

}  // namespace sortlab
