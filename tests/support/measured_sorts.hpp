// Sorts measured through the supervisor, for test programs that are their own workers (tests/support/main.cpp).
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/plan/blocks.hpp"
#include "harness/plan/sweep.hpp"
#include "harness/run/supervisor.hpp"

namespace sortlab {

/// `sweep` with these sorts, each at its default parameters, and uniform keys.
inline Sweep uniform_sweep(const std::vector<std::string>& sorts, Sweep sweep = {}) {
  for (const std::string& name : sorts) {
    sweep.algorithms.push_back({.algorithm = &algorithm_named(name), .preset = {}});
  }
  sweep.distributions = {parse_distribution("uniform")};
  return sweep;
}

/// Measures the sweep's cells, and returns their results with the names of their sorts, in the order of their ends.
inline std::vector<std::pair<std::string, CellResult>> measured_cells(const Sweep& sweep,
                                                                      const SupervisorOptions& options = {}) {
  std::vector<std::pair<std::string, CellResult>> results;
  supervise(group_into_blocks(expand_sweeps({sweep})), options,
            {.running = [](const Cell&) {},
             .finished =
                 [&](const Cell& cell, const CellResult& result) {
                   results.emplace_back(cell.subject.algorithm->info().name, result);
                 }});
  return results;
}

/// The results of a sweep with one cell for each sort, by the names of the sorts.
inline std::map<std::string, CellResult> results_by_algorithm(const Sweep& sweep,
                                                              const SupervisorOptions& options = {}) {
  std::map<std::string, CellResult> results;
  for (auto& [name, result] : measured_cells(sweep, options)) {
    EXPECT_TRUE(results.emplace(name, std::move(result)).second) << name;
  }
  return results;
}

}  // namespace sortlab
