// The part of a plan that was measured before.
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

/// Sorts `blocks` by what the records `before` settle, by key. A cell that was skipped is settled while the reason
/// lasts; one whose worker was killed from outside is not; one that failed by itself is, unless `retry`. The result
/// points into `before`.
Selection resume(const std::vector<Block>& blocks, const std::vector<nlohmann::ordered_json>& before, bool retry);

}  // namespace sortlab
