// Timed sorts of a cell, and which of them count.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "harness/cell/protocol.hpp"

namespace sortlab {

/// One timed sort, and how free its processors were meanwhile.
struct TimedSample {
  double seconds = 0;
  double core_share = 1;  ///< see FreeCores
};

bool is_disturbed(const TimedSample& sample);

/// Positions of the samples whose times are a cell's result, ascending. They are chosen by how free the cores were,
/// never by their own times: the undisturbed ones if they are at least half, else all. Where the protocol asks for an
/// exact count, that many: the first undisturbed ones, and where there are too few the least disturbed.
std::vector<std::size_t> samples_that_count(const Protocol& protocol, std::span<const TimedSample> samples);

}  // namespace sortlab
