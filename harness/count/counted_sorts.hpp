// The program under the profiler: sorts each cell once, with nothing but the sorts shown to the profiler.
#pragma once

#include <string>
#include <vector>

#include "harness/cell/cell.hpp"

namespace sortlab {

/// The first argument that makes this program the profiler's: `sortlab counted TASK ANSWERS PASSES`. Not for users.
inline constexpr const char* kCountedCommand = "counted";

/// The NVTX ranges of sort `index` are "sortlab_<index>_<reading>": see Testbed::profiled_sort.
std::string label_of_sort(std::size_t index);

/// What `counted` reads: the cells, those on the same input one after the other.
void write_task(const std::vector<Cell>& cells, const std::string& path);

/// Sorts the cells in `task` in turn, with the first `passes` passes of each phase shown to the profiler (0: all), and
/// what lies outside all phases. Appends to `answers`, flushed, two lines for each:
///
///   {"sort": index, "event": "begin"}
///   {"sort": index, "event": "end", "status": "ok" | "wrong" | "failed", "reason", "verification", "device",
///    "entropy_bits", "scratch_bytes", "spans": [[name, pass, begin, end]]}
///
/// and ends early, after the second line, if the device is lost. Returns the exit status.
int counted_sorts(const std::string& task, const std::string& answers, int passes);

}  // namespace sortlab
