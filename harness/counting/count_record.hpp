// The `count` record (results/README.md).
#pragma once

#include <nlohmann/json.hpp>

#include "harness/counting/count_cells.hpp"

namespace sortlab {

/// Counters appear, an element, only if the status is ok.
nlohmann::ordered_json count_record(const Cell& cell, const CellCounts& counts, const Ncu& ncu, const std::string& run,
                                    const std::string& machine);

}  // namespace sortlab
