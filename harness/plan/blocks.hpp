// Cells chosen by a filter, and grouped into the blocks in which they are measured.
#pragma once

#include <string>
#include <vector>

#include "harness/cell/cell.hpp"

namespace sortlab {

/// The cells in whose text_of the regular expression (ECMAScript) matches somewhere. Throws BadInput for a broken one
/// and for one that matches nothing.
std::vector<Cell> matching(std::vector<Cell> cells, const std::string& filter);

/// Groups cells by input, in order of their first cell.
std::vector<Block> blocks_of(std::vector<Cell> cells);

}  // namespace sortlab
