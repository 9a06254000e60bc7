// Few rows that cover every pair of levels of any two factors.
#pragma once

#include <vector>

namespace sortlab {

/// Rows of one level for each factor (factor f has levels 0 … levels[f] - 1) such that every pair of levels of two
/// different factors stands in at least one row: strength 2, built greedily, at most a few times the product of the two
/// largest factors. A factor without levels leaves no rows.
std::vector<std::vector<int>> covering_array(const std::vector<int>& levels);

}  // namespace sortlab
