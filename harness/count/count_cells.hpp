// Runs the sorts of cells under ncu and tells what became of each.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/count/ncu.hpp"
#include "harness/count/phase_counts.hpp"

namespace sortlab {

struct CellCounts {
  std::string status;  ///< ok, wrong, failed, crashed or timeout
  std::string reason;  ///< in words, unless ok
  nlohmann::ordered_json device{};
  nlohmann::ordered_json entropy_bits{};
  nlohmann::ordered_json verification{};
  std::uint64_t scratch_bytes = 0;
  std::vector<PhaseCounts> phases{};  ///< only if ok
};

struct WhatToCount {
  std::vector<std::string> metrics;
  int passes = 0;  ///< of each phase, the first; 0: all
};

/// Sorts each cell on device 0 with each kernel counted. The cells must share an input. One whose sort takes the
/// program down costs nothing but itself. Throws NcuFailed if ncu can count nothing here.
std::vector<CellCounts> count_cells(const std::vector<Cell>& cells, const Ncu& ncu, const WhatToCount& what);

/// What `answers` (counted_sorts.hpp) and `log` (kernel_rows.hpp) say of the first cells of a run under ncu, as far as
/// it went. The last of them is "crashed" if its sort began and did not end.
std::vector<CellCounts> cells_counted(const std::string& answers, const std::string& log,
                                      const std::vector<std::string>& metrics);

}  // namespace sortlab
