// The points at which a profile's table was measured, for models that extrapolate from the last ones.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "models/machine_profile.hpp"

namespace sortlab {

/// Distinct values of the argument after `before` in a table's points, ascending. Throws MissingQuantity if the profile
/// lacks the table.
inline std::vector<double> argument_points(const MachineProfile& profile, std::string_view table,
                                           const std::vector<double>& before) {
  const auto found = profile.tables.find(table);
  if (found == profile.tables.end()) profile.at(table);  // throws
  std::vector<double> values;
  for (const ProfileTable::Point& point : found->second.points) {
    if (std::equal(before.begin(), before.end(), point.at.begin())) values.push_back(point.at[before.size()]);
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace sortlab
