// Divides a config among several processes or machines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/plan/sweep.hpp"

namespace sortlab {

/// Part `index` of `count`, counted from 1.
struct Shard {
  int index = 1;
  int count = 1;
};

/// Reads "2/8". Throws BadInput for 5/3.
Shard parse_shard(std::string_view text);
std::string shard_text(const Shard& shard);

/// The blocks of the config as written, with `auto` parameters unresolved, so that they do not depend on this machine's
/// profile and tuning. Two choices of one algorithm that resolve to the same cell here still count as two.
std::vector<Block> planned_blocks(const std::vector<Sweep>& sweeps);

/// The subset of `blocks` in one shard. The blocks `planned` are assigned by nominal_ns() of their cells, the longest
/// first, each to the least loaded shard. So each block is in exactly one shard, the same on every machine, and
/// independently of the cells measured or filtered out there.
std::vector<Block> select_shard(std::vector<Block> blocks, const std::vector<Block>& planned, Shard shard);

}  // namespace sortlab
