// Counts the calls of malloc and its relatives: what a sort allocates inside the timed call.
#pragma once

#include <cstdint>
#include <optional>

namespace sortlab {

/// Sets the count to 0. Writes to a counter of each thread, so it is called outside the timed call.
void clear_allocations();

/// Starts counting the allocations of all threads. Writes one flag, so it may stand inside the timed call, as may
/// stop_counting_allocations().
void start_counting_allocations();

void stop_counting_allocations();

/// Number of allocations that were counted since clear_allocations(); nothing in a build with sanitizers, which bring
/// allocators of their own.
std::optional<std::uint64_t> counted_allocations();

}  // namespace sortlab
