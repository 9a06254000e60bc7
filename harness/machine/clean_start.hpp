// Variables that libraries read by themselves and that bend times. They are dropped from the environment before any
// library of the process can read them, and so before libgomp can bind the main thread to OMP_PROC_BIND's processor.
#pragma once

namespace sortlab {

/// Variable with the names that were dropped, separated by commas. A process that has it was started by one of Sortlab,
/// and keeps the variables of the families CUDA_* and LD_*, which a profiler in between sets.
inline constexpr const char* kDroppedVariable = "SORTLAB_DROPPED";

/// The heap of a worker, as glibc reads it from GLIBC_TUNABLES: huge pages, as buffers have.
inline constexpr const char* kWorkerTunables = "glibc.malloc.hugetlb=1";

/// True for a variable ("NAME=value", or only "NAME") that is dropped.
bool is_dropped_at_start(const char* variable);

/// True for "OMP_*" and "OMP_DYNAMIC=true", or for "HOME" and "HOME=/root".
bool is_named_by(const char* pattern, const char* variable);

}  // namespace sortlab
