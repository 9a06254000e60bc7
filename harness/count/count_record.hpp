// The `count` record (results/README.md).
#pragma once

#include <nlohmann/json.hpp>

#include "harness/count/count_cells.hpp"

namespace sortlab {

/// Makes the record. It holds counters per element only if the status is ok. `tool`: description of the tool. `passes`:
/// number of passes counted of each phase; with 0, all are counted and the record has totals.
nlohmann::ordered_json count_record(const Cell& cell, const CellCounts& counts, const nlohmann::ordered_json& tool,
                                    int passes, const std::string& run, const std::string& machine);

}  // namespace sortlab
