// Distance of two processors: the time a cache line takes from one to the other. A host may move a virtual machine's
// processors to other cores, which changes the distance from one minute to the next, and with it the times of parallel
// sorts.
#pragma once

namespace sortlab {

/// Seconds that a line takes one way between two processors, each with a pinned thread: the median of some hundred
/// round trips. Takes less than a millisecond.
double core_distance_s(int one, int other);

}  // namespace sortlab
