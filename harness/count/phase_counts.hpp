// Counts of kernels, grouped by the phases of the sort that launched them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/count/kernel_rows.hpp"

namespace sortlab {

/// Between two readings of a sort's clock: see Testbed::profiled_sort.
struct CountedSpan {
  std::string name;
  int pass = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The innermost span open after `reading` (of several the one that began last); null if there is none.
const CountedSpan* innermost(const std::vector<CountedSpan>& spans, std::int64_t reading);

/// Launches of one kernel that are alike but for what they count.
struct CountedKernel {
  std::string name;
  std::string grid;
  std::string block;
  int registers = 0;              ///< a thread
  std::int64_t shared_bytes = 0;  ///< a block
  int launches = 0;
};

struct PhaseCounts {
  std::string name;
  int pass = 0;
  std::vector<CountedKernel> kernels{};
  std::map<std::string, double> counters{};     ///< by name, summed over the kernels
  std::map<std::string, double> utilisation{};  ///< by resource, a share of its peak
  std::map<std::string, double> stalls{};       ///< by reason, a share of the warps that wait or issue; if asked for
  double occupancy = 0;                         ///< a share of the warps that fit
  std::string binding{};                        ///< see binding_of
};

/// Each kernel goes to the innermost span in which it was launched; one outside all spans to a phase of the kernel's
/// name, with the number of its launch as pass. Phases come in order of their first kernel. Shares are those of the
/// phase's kernel of most instructions; counters that the device lacks are left out.
std::vector<PhaseCounts> phase_counts(const std::vector<CountedSpan>& spans, const std::vector<KernelRow>& rows);

}  // namespace sortlab
