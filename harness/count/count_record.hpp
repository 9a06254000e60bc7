// The `count` record (results/README.md).
#pragma once

#include <nlohmann/json.hpp>

#include "harness/count/count_cells.hpp"

namespace sortlab {

/// Counters appear, per element, only if the status is ok. `tool`: its description. `passes`: how many of each phase
/// were counted; 0: all, and then there are totals.
nlohmann::ordered_json count_record(const Cell& cell, const CellCounts& counts, const nlohmann::ordered_json& tool,
                                    int passes, const std::string& run, const std::string& machine);

}  // namespace sortlab
