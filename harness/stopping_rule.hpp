// When a cell has enough samples.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "harness/protocol.hpp"

namespace sortlab {

/// Why to stop: "interval" (the 95 % interval of the median is narrow enough), "budget" (`spent_s` of wall time is
/// all), "samples" (as many as asked for, or max_samples); or nothing: take another. With no sample yet it is always
/// nothing.
std::optional<std::string_view> why_stop(const Protocol& protocol, std::span<const double> samples, double spent_s);

}  // namespace sortlab
