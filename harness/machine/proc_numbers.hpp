// Numbers of processes and threads in /proc. They are others than ours where /proc is that of an outer PID namespace,
// as after `unshare --pid --fork` without --mount-proc.
#pragma once

#include <sys/types.h>

#include <optional>

namespace sortlab {

/// The number of the calling thread in /proc.
long caller_in_proc();

/// The number in /proc of a child of this process, or nullopt if the kernel does not tell it.
std::optional<pid_t> number_in_proc(pid_t child);

/// Our number of a process that has the number `in_proc` in /proc, or nullopt if it is not in our namespace.
std::optional<pid_t> number_from_proc(pid_t in_proc);

}  // namespace sortlab
