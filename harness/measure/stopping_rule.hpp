// When a cell has enough samples, and which of them count.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "harness/cell/protocol.hpp"

namespace sortlab {

/// One timed sort, and how free its processors were meanwhile.
struct TimedSample {
  double seconds = 0;
  double core_share = 1;  ///< see FreeCores
};

bool is_disturbed(const TimedSample& sample);

/// Positions of the samples whose times are a cell's result, ascending. What decides is how free the cores were, never
/// a sample's own time: the undisturbed ones if they are at least half, else all. Of a protocol that asks for an exact
/// count, so many: the first undisturbed ones, and where there are too few the least disturbed.
std::vector<std::size_t> samples_that_count(const Protocol& protocol, std::span<const TimedSample> samples);

/// Why to stop: "interval" (the 95 % interval of the median of those that count is narrow enough), "budget" (`spent_s`
/// of wall time is all), "samples" (as many as asked for and undisturbed, or twice as many in all; or max_samples); or
/// nothing: take another. With no sample yet it is always nothing.
std::optional<std::string_view> why_stop(const Protocol& protocol, std::span<const TimedSample> samples,
                                         double spent_s);

}  // namespace sortlab
