// One timed call under Google Benchmark, with manual time and one iteration per registration; the raw value is kept.
// This costs about 3 us per sample, and leaves the order and the end of sampling to us (Google Benchmark's own random
// interleaving takes no seed).
#pragma once

#include <functional>

namespace sortlab {

/// Seconds that `call` took by RawClock, at least 1 ns. Rethrows its exceptions.
double timed_call(const std::function<void()>& call);

}  // namespace sortlab
