// Divides a config among several processes or machines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/plan/sweep.hpp"

namespace sortlab {

/// Part `index` of `count`, from 1.
struct Shard {
  int index = 1;
  int count = 1;
};

/// "2/8". Throws BadInput for 5/3.
Shard parse_shard(std::string_view text);
std::string text_of(const Shard& shard);

/// The config as written: its blocks with every `auto` parameter unresolved, whatever profile and tuning this machine
/// has. Two choices of one algorithm that resolve to the same cell here still count as two, on every machine.
std::vector<Block> planned_blocks(const std::vector<Sweep>& sweeps);

/// Those of `blocks` that belong to one shard. Shards are assigned to the blocks `planned`, by nominal_ns of their
/// cells, the longest first to the least loaded shard: so each block is in exactly one shard, the same on every
/// machine, whatever was measured or filtered out there.
std::vector<Block> select_shard(std::vector<Block> blocks, const std::vector<Block>& planned, Shard shard);

}  // namespace sortlab
