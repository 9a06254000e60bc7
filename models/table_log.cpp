#include "models/table_log.hpp"

#include <algorithm>

#include "models/machine_profile.hpp"

namespace sortlab {

void TableLog::note(std::string_view name, ModelKind kind, const ProfileTable& table, std::span<const double> arguments,
                    Reading reading) {
  auto found = reads_.find(name);
  if (found == reads_.end()) {
    found = reads_.emplace(name, TableRead{.kind = kind}).first;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      found->second.arguments.push_back({table.arguments[i], arguments[i], arguments[i]});
    }
  }
  TableRead& read = found->second;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    read.arguments[i].least = std::min(read.arguments[i].least, arguments[i]);
    read.arguments[i].most = std::max(read.arguments[i].most, arguments[i]);
  }
  read.reading = std::max(read.reading, reading);
}

}  // namespace sortlab
