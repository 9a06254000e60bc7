// Parts of a config for several processes or machines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cell/cell.hpp"

namespace sortlab {

/// Part `index` of `count`, from 1.
struct Shard {
  int index = 1;
  int count = 1;
};

/// "2/8". Throws BadInput for 5/3.
Shard parse_shard(std::string_view text);
std::string text_of(const Shard& shard);

/// The blocks of one shard. Each block is in exactly one, whatever was measured already, and the shards are of like
/// work: largest block first to the shard with the least work so far.
std::vector<Block> shard_of(std::vector<Block> blocks, Shard shard);

}  // namespace sortlab
