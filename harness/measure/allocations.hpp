// Counts the calls of malloc and its relatives: what a sort allocates inside the timed call.
#pragma once

#include <cstdint>
#include <optional>

namespace sortlab {

/// Starts counting the allocations of all threads.
void start_counting_allocations();

/// The number of allocations since start_counting_allocations(), and stops counting; nothing in a build with
/// sanitizers, which bring allocators of their own.
std::optional<std::uint64_t> stop_counting_allocations();

}  // namespace sortlab
