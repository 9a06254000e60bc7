// The division of a plan into measured and unmeasured cells.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <utility>
#include <vector>

#include "harness/cell/cell.hpp"

namespace sortlab {

struct Selection {
  std::vector<Block> to_run;
  std::vector<std::pair<Cell, const nlohmann::ordered_json*>> done;  ///< each with the record that settles it
};

/// Divides the cells of `blocks` into those that a record in `before` settles, by key, and those to run. A skipped cell
/// is settled while the reason lasts. A cell whose worker was killed from outside is not settled. A cell that failed by
/// itself is settled, unless `retry`. The result points into `before`.
Selection resume(const std::vector<Block>& blocks, const std::vector<nlohmann::ordered_json>& before, bool retry);

}  // namespace sortlab
