// The rule that decides when a cell has enough samples.
#pragma once

#include <optional>
#include <span>

#include "harness/cell/protocol.hpp"
#include "harness/cell/timed_sample.hpp"

namespace sortlab {

/// The reason to stop, or nullopt to take another sample. The interval is that of the samples that count; `samples`
/// means the number asked for, undisturbed, or twice as many in all; `spent_s` is the wall time spent. The first sample
/// is always taken.
std::optional<StopReason> why_stop(const Protocol& protocol, std::span<const TimedSample> samples, double spent_s);

}  // namespace sortlab
