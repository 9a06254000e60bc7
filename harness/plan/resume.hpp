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

/// Selects cells with a record that are measured once more.
struct Repeats {
  bool retry = false;  ///< cells that failed by themselves
  /// All sorts of an input of which one was disturbed or is not measured yet, so that sorts that are compared come from
  /// one run: at most so often each. Inputs with unmeasured cells come first.
  int again = 0;
};

/// Divides the cells of `blocks` into those that a record in `before` settles, by key, and those to run. A skipped cell
/// is settled while the reason lasts. A cell whose worker was killed from outside is not settled. A cell that failed by
/// itself is settled, unless `repeats.retry`. The result points into `before`.
Selection resume(const std::vector<Block>& blocks, const std::vector<nlohmann::ordered_json>& before,
                 const Repeats& repeats);

}  // namespace sortlab
