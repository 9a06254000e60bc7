// The parameters, and the sort of a chunk on the device.
#pragma once

#include <string>

#include "algorithms/plugin.hpp"
#include "algorithms/stehle_heterogeneous/plan.hpp"
#include "algorithms/stehle_heterogeneous/run_merger.hpp"

namespace sortlab::heterogeneous {

struct Settings {
  int chunks = 1;
  std::string sort;  ///< whose name
  Merge merge = Merge::ours;
};

inline Settings settings_of(const Parameters& parameters) {
  return {.chunks = static_cast<int>(parameters.integer("chunks")),
          .sort = parameters.word("sort"),
          .merge = chosen("merge", parameters.word("merge"), kMerges)};
}

/// A chunk as the sort on the device sees it.
inline Problem chunk_problem(const Problem& problem, const Settings& settings) {
  Problem chunk = problem;
  chunk.residency = Residency::device;
  chunk.n = Chunks{problem.n, settings.chunks}.size();
  return chunk;
}

/// The defaults of the device sort, with `auto` resolved: the first candidate where a model would choose.
Parameters chunk_parameters(const Algorithm& sort, const Problem& chunk, const Resources& resources);

}  // namespace sortlab::heterogeneous
