// The memory available to this program: the machine's, or less under a container's limit.
#pragma once

#include <cstdint>

namespace sortlab {

/// Bytes that the kernel says the machine has. Not the sum over NUMA nodes, which grows as a virtual machine is given
/// pages.
std::uint64_t system_memory();

/// Bytes available if nothing else ran.
std::uint64_t physical_memory();

/// Bytes available now without swapping.
std::uint64_t available_memory();

/// From here on, allocations beyond `bytes` of data fail with std::bad_alloc instead of waking the kernel's killer. Has
/// no effect under a sanitizer, whose shadow memory counts as data.
void limit_memory(std::uint64_t bytes);

}  // namespace sortlab
