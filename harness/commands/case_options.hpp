// The command-line options that describe cells, for `bench`, `predict` and other commands.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "harness/plan/sweep.hpp"

namespace sortlab {

/// The options. Each may be repeated; the cells are their product.
struct CaseOptions {
  std::vector<std::string> algorithms;
  std::vector<std::string> keys{"u32"};
  std::vector<std::string> values{"none"};
  std::vector<std::string> n{"2^20"};
  std::vector<std::string> distributions{"uniform"};
  std::vector<std::string> parameters;  ///< "digit_bits=8"
  std::vector<std::string> threads{"1"};
  std::vector<std::string> seeds{"1"};
  std::vector<std::string> residency;  ///< empty: each algorithm's own
  std::vector<std::string> host_memory{"pinned"};
  std::string layout{"native"};
  std::string preset;
  std::vector<std::string> components;

  bool any() const { return !algorithms.empty(); }
};

/// Declares the options. `algorithm_required`: CLI11 requires --algorithm.
void add_case_options(CLI::App& command, CaseOptions& options, bool algorithm_required);

/// Makes a sweep of the options. Parameters, preset and components apply to the algorithms that have them. Throws
/// BadInput for one that no algorithm has. Algorithms without a requested component are left out.
Sweep make_sweep(const CaseOptions& options, const Protocol& protocol);

}  // namespace sortlab
