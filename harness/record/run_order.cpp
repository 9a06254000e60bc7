#include "harness/record/run_order.hpp"

#include <algorithm>

namespace sortlab {

using nlohmann::ordered_json;

void RunStarts::take(const std::vector<ordered_json>& records) {
  for (const ordered_json& record : records) {
    if (record.at("kind") == "run") starts_.emplace(record.at("run"), record.at("started"));
  }
}

const std::string& RunStarts::of(const std::string& run) const {
  static const std::string unknown;
  const auto found = starts_.find(run);
  return found == starts_.end() ? unknown : found->second;
}

std::vector<const ordered_json*> oldest_first(const std::vector<ordered_json>& records) {
  RunStarts starts;
  starts.take(records);
  std::vector<const ordered_json*> ordered;
  for (const ordered_json& record : records) {
    if (record.at("kind") == "measurement" || record.at("kind") == "component") ordered.push_back(&record);
  }
  std::ranges::stable_sort(ordered, {},
                           [&](const ordered_json* record) { return starts.of(record->value("run", "")); });
  return ordered;
}

std::vector<const ordered_json*> newest_of_cells(const std::vector<ordered_json>& records) {
  std::map<std::string, std::size_t> places;
  std::vector<const ordered_json*> newest;
  for (const ordered_json* const record : oldest_first(records)) {
    const auto [place, is_new] = places.try_emplace(record->at("cell"), newest.size());
    if (is_new) {
      newest.push_back(record);
    } else {
      newest[place->second] = record;
    }
  }
  return newest;
}

}  // namespace sortlab
