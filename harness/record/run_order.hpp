// The order of records that measure a cell more than once. The newest counts, whatever became of it: the one whose run
// started last. Python's readers have the same rule (Records.oldest_first in plots/records/collection.py), and a corpus
// is asked of both.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sortlab {

/// When runs started, as their records say: UTC, which sorts as text.
class RunStarts {
 public:
  /// Takes up the records of kind `run`.
  void take(const std::vector<nlohmann::ordered_json>& records);

  /// Empty, and thus the oldest, for a run that no record describes.
  const std::string& of(const std::string& run) const;

 private:
  std::map<std::string, std::string> starts_;
};

/// The measurements of sorts and components, by the start of their run, then by their place in the file.
std::vector<const nlohmann::ordered_json*> oldest_first(const std::vector<nlohmann::ordered_json>& records);

/// The newest measurement of each cell, by the place of the cell's oldest.
std::vector<const nlohmann::ordered_json*> newest_of_cells(const std::vector<nlohmann::ordered_json>& records);

}  // namespace sortlab
