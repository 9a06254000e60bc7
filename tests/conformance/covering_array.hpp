// Covering arrays: few rows that cover every pair of levels of any two factors; and whole products of factors.
#pragma once

#include <vector>

namespace sortlab {

/// Makes rows with one level for each factor (factor f has levels 0 … levels[f] - 1), such that every pair of levels of
/// two factors occurs in at least one row (strength 2). Built greedily; the number of rows is at most a few times the
/// product of the two largest factors. A factor without levels gives no rows.
std::vector<std::vector<int>> covering_array(const std::vector<int>& levels);

/// Makes a row for each combination of levels of all factors.
std::vector<std::vector<int>> product(const std::vector<int>& levels);

}  // namespace sortlab
