// The program that runs under the tool: it sorts each cell once, and shows only the sorts to the tool.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/machine/counters.hpp"

namespace sortlab {

/// The internal command that runs counted sorts: `sortlab counted TASK ANSWERS PASSES [--counters]`.
inline constexpr const char* kCountedCommand = "counted";
inline constexpr const char* kWithCounters = "--counters";
inline constexpr const char* kWithLikwid = "--likwid";  ///< followed by a group; runs on one processor

/// The NVTX ranges of sort `index` are "sortlab_<index>_<reading>": see Testbed::profiled_sort.
std::string sort_label(std::size_t index);

/// Writes the task file of `counted`: the cells, grouped by input.
void write_task(const std::vector<Cell>& cells, const std::string& path);

/// Sorts the cells in `task` in turn. Shows the profiler the first `passes` passes of each phase (0: all), and the work
/// outside phases. Appends two lines for each cell to `answers`, and flushes them:
///
///   {"sort": index, "event": "begin"}
///   {"sort": index, "event": "end", "status": "ok" | "wrong" | "failed", "reason", "verification", "device",
///    "entropy_bits", "scratch_bytes", "simd", "readings", "between", "spans": [[name, pass, begin, end]]}
///
/// Ends early, after the second line, if the device is lost. Three fields are for host sorts only: "simd", the widest
/// instruction set that the sorts find; "readings", the number of readings of the spans' clock; and "between", the
/// counts of the process's own counters before the first reading, after it, … and after the last. The last needs
/// `counters`, and comes from a second sort. Returns the exit status.
int counted_sorts(const std::string& task, const std::string& answers, int passes,
                  std::unique_ptr<Counters> counters = nullptr);

}  // namespace sortlab
