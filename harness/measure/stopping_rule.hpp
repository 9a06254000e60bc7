// The stopping rule: decides if a cell has enough samples.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "harness/cell/protocol.hpp"
#include "harness/cell/timed_sample.hpp"

namespace sortlab {

/// The reason to stop, or nullopt to take another sample. "interval": the 95 % interval of the median of the samples
/// that count is narrow enough. "budget": `spent_s` of wall time is spent. "samples": the requested number of
/// undisturbed samples, or twice as many in total, or max_samples. Always nullopt without samples.
std::optional<std::string_view> why_stop(const Protocol& protocol, std::span<const TimedSample> samples,
                                         double spent_s);

}  // namespace sortlab
