// The record of a cell's outcome.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/cell/cell.hpp"
#include "harness/cell/result.hpp"

namespace sortlab {

/// The record (results/README.md) of `result`: a `measurement`, or a `component` if the cell names one. Times appear
/// only if its status is ok.
nlohmann::ordered_json measurement_record(const Cell& cell, const CellResult& result, const std::string& run,
                                          const std::string& machine);

}  // namespace sortlab
