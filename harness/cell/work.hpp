// The work of a run.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/cell/reason_code.hpp"

namespace sortlab {

struct Work {
  std::vector<Block> blocks;                     ///< to measure
  std::map<std::string, double> estimate_s;      ///< wall seconds that each of their cells should take, by cell_id
  std::vector<std::pair<Cell, Reason>> skipped;  ///< cells that cannot run here, each with the reason
};

}  // namespace sortlab
