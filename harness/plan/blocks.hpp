// Cells chosen by a filter, and grouped into the blocks in which they are measured.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "harness/cell/cell.hpp"

namespace sortlab {

/// The cells whose text_of matches the regular expression somewhere (RE2's syntax: no back reference, no look-around).
/// Throws BadInput for an invalid one, one of more than 1000 bytes, and one that matches nothing.
std::vector<Cell> matching(std::vector<Cell> cells, const std::string& filter);

/// What the input of a block is made from.
using InputKey =
    std::tuple<Residency, HostMemory, KeyType, ValueType, std::uint64_t, std::string /* distribution */, std::uint64_t>;
InputKey input_key(const Case& c);

/// Groups cells by input, in order of their first cell.
std::vector<Block> group_into_blocks(std::vector<Cell> cells);

}  // namespace sortlab
