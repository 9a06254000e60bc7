// The memory available to this program: the machine's, or the least limit of its control groups.
#pragma once

#include <cstdint>

namespace sortlab {

/// Total memory in bytes that the kernel reports. The sum over NUMA nodes would grow while a virtual machine receives
/// pages.
std::uint64_t system_memory();

/// Bytes that would be available if nothing else ran.
std::uint64_t physical_memory();

/// Bytes available now without swapping.
std::uint64_t available_memory();

/// Makes allocations beyond `bytes` of data fail with std::bad_alloc instead of triggering the kernel's OOM killer. Has
/// no effect under a sanitizer, whose shadow memory counts as data.
void limit_memory(std::uint64_t bytes);

}  // namespace sortlab
