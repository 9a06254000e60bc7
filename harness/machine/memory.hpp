// The memory available to this program: the machine's, or the least limit of its control groups.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

namespace sortlab {

/// Total memory in bytes that the kernel reports. The sum over NUMA nodes would grow while a virtual machine receives
/// pages.
std::uint64_t system_memory();

/// Bytes that would be available if nothing else ran.
std::uint64_t physical_memory();

/// Bytes available now without swapping.
std::uint64_t available_memory();

/// The limits of this process (ulimit -v, -d, memory of a control group) that may be the cause of a lack of memory, in
/// brackets after a space, or an empty text.
std::string limits_of_memory();

/// The exception's message. Where it is that the system gives no further thread or process, with the limits that may be
/// the cause.
std::string message_with_limits(const std::exception& error);

/// Throws std::runtime_error that names the limit of address space (ulimit -v) where it leaves too little for a worker.
void check_address_space();

/// Makes allocations beyond `bytes` of data fail with std::bad_alloc instead of triggering the kernel's OOM killer. Has
/// no effect under a sanitizer, whose shadow memory counts as data.
void limit_memory(std::uint64_t bytes);

}  // namespace sortlab
