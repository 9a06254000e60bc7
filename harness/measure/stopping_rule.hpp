// When a cell has enough samples.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "harness/cell/protocol.hpp"
#include "harness/cell/timed_sample.hpp"

namespace sortlab {

/// Why to stop: "interval" (the 95 % interval of the median of those that count is narrow enough), "budget" (`spent_s`
/// of wall time is spent), "samples" (the number asked for, undisturbed, or twice as many in all; or max_samples); or
/// nothing: take another. With no sample yet it is always nothing.
std::optional<std::string_view> why_stop(const Protocol& protocol, std::span<const TimedSample> samples,
                                         double spent_s);

}  // namespace sortlab
