// The program under the tool: sorts each cell once, with nothing but the sorts shown to the tool.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/machine/counters.hpp"

namespace sortlab {

/// The first argument that makes this program the tool's: `sortlab counted TASK ANSWERS PASSES [--counters]`. Not for
/// users.
inline constexpr const char* kCountedCommand = "counted";
inline constexpr const char* kWithCounters = "--counters";
inline constexpr const char* kWithLikwid = "--likwid";  ///< and a group: on one processor

/// The NVTX ranges of sort `index` are "sortlab_<index>_<reading>": see Testbed::profiled_sort.
std::string label_of_sort(std::size_t index);

/// What `counted` reads: the cells, those on the same input one after the other.
void write_task(const std::vector<Cell>& cells, const std::string& path);

/// Sorts the cells in `task` in turn, with the first `passes` passes of each phase (0: all), and everything outside
/// phases, visible to the profiler. Appends to `answers`, flushed, two lines for each:
///
///   {"sort": index, "event": "begin"}
///   {"sort": index, "event": "end", "status": "ok" | "wrong" | "failed", "reason", "verification", "device",
///    "entropy_bits", "scratch_bytes", "simd", "readings", "between", "spans": [[name, pass, begin, end]]}
///
/// and ends early, after the second line, if the device is lost. The host's alone are "simd", the widest instructions
/// that its sorts find; "readings" of the spans' clock; and "between", what the process's own counters counted before
/// the first, after it, … after the last: if there are `counters`, and then in a second sort. Returns the exit status.
int counted_sorts(const std::string& task, const std::string& answers, int passes,
                  std::unique_ptr<Counters> counters = nullptr);

}  // namespace sortlab
