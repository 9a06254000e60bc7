// One timed call under Google Benchmark: manual time, one iteration per registration, the raw value kept. That costs
// about 3 us a sample and leaves the order and the end of sampling to us (its own random interleaving takes no seed).
#pragma once

#include <functional>

namespace sortlab {

/// Seconds that `call` took by the steady clock, at least 1 ns. What it throws is passed on.
double timed_call(const std::function<void()>& call);

}  // namespace sortlab
