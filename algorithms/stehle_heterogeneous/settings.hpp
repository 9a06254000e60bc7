// Parameters of the sort, and the sort of a chunk on the device.
#pragma once

#include <string>

#include "algorithms/plugin.hpp"
#include "algorithms/stehle_heterogeneous/plan.hpp"
#include "algorithms/stehle_heterogeneous/run_merger.hpp"

namespace sortlab::heterogeneous {

struct Settings {
  int chunks = 1;
  std::string sort;  ///< device sort, as the parameter names it
  Merge merge = Merge::ours;
};

inline Settings resolve_settings(const Parameters& parameters) {
  return {.chunks = static_cast<int>(parameters.integer("chunks")),
          .sort = parameters.word("sort"),
          .merge = chosen("merge", parameters.word("merge"), kMerges)};
}

/// The problem that the device sort solves for a chunk.
inline Problem chunk_problem(const Problem& problem, const Settings& settings) {
  Problem chunk = problem;
  chunk.residency = Residency::device;
  chunk.n = Chunks{problem.n, settings.chunks}.size();
  return chunk;
}

/// The device sort of a chunk. Throws BadInput if this build lacks it.
inline const Algorithm& chunk_sort(const Settings& settings) {
  return algorithm_named(settings.sort == kPaperSort ? kHybridSort : settings.sort);
}

/// Parameters of the device sort, of its preset `paper` or its defaults, with `auto` resolved: the first candidate
/// where a model would choose.
Parameters chunk_parameters(const Settings& settings, const Problem& chunk, const Resources& resources);

}  // namespace sortlab::heterogeneous
