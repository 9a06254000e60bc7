// Selection of cells by a filter, and their grouping into blocks.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "harness/cell/cell.hpp"

namespace sortlab {

/// The cells whose text contains a match of the regular expression (RE2 syntax, without back references and
/// look-around). Throws BadInput for an invalid expression, one of more than 1000 bytes, and one that matches no cell.
std::vector<Cell> matching(std::vector<Cell> cells, const std::string& filter);

/// The facts that determine the input of a block.
using InputKey = std::tuple<Residency, HostMemory, KeyType, ValueType, std::uint64_t, std::string /* distribution */,
                            std::uint64_t, std::string /* devices */, ShardSizes>;
InputKey input_key(const Case& c);

/// Groups cells by input, in order of their first cell.
std::vector<Block> group_into_blocks(std::vector<Cell> cells);

}  // namespace sortlab
