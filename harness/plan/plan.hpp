// From cells to the order in which they are measured: selection by filter and shard, and blocks that share an input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/config.hpp"

namespace sortlab {

/// Cells on the same input (residency and kind of host memory, key and value type, n, distribution, seed): it is made
/// once, and their samples are taken in turn.
using Block = std::vector<Cell>;

/// Part `index` of `count`, from 1.
struct Shard {
  int index = 1;
  int count = 1;
};

/// "2/8". Throws BadInput for 5/3.
Shard parse_shard(std::string_view text);

/// 90, 90s, 5m or 1.5h, in seconds. Throws BadInput.
double parse_duration(std::string_view text);

/// The cells in whose text_of the regular expression (ECMAScript) matches somewhere. Throws BadInput for a broken one
/// and for one that matches nothing.
std::vector<Cell> matching(std::vector<Cell> cells, const std::string& filter);

/// Groups cells by input, in order of their first cell.
std::vector<Block> blocks_of(std::vector<Cell> cells);

/// The blocks of one shard. Each block is in exactly one, whatever was measured already, and the shards are of like
/// work: largest block first to the shard with the least work so far.
std::vector<Block> shard_of(std::vector<Block> blocks, Shard shard);

}  // namespace sortlab
