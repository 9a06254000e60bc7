// Counts of kernels, grouped by the sort's phases.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/count/kernel_rows.hpp"

namespace sortlab {

/// A phase between two readings of a sort's clock: see Testbed::profiled_sort.
struct CountedSpan {
  std::string name;
  int pass = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// The innermost span that is open after `reading`: the one that began last. Null if there is none.
const CountedSpan* innermost(const std::vector<CountedSpan>& spans, std::int64_t reading);

/// Launches of one kernel that differ only in their counts.
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
  std::map<std::string, double> counters{};     ///< counts by name, summed over the kernels
  std::map<std::string, double> utilisation{};  ///< share of the peak, by resource
  std::map<std::string, double> stalls{};       ///< share of the waiting or issuing warps, by reason, if requested
  double occupancy = 0;                         ///< active warps as a share of those that fit
  std::string binding{};                        ///< see binding_resource()
};

/// Groups kernels by phase. A kernel belongs to the innermost span in which it was launched. A kernel outside all spans
/// forms a phase with the kernel's name, whose pass is the number of the launch. Phases come in order of their first
/// kernel. Shares are those of the phase's kernel with the most instructions. Counters that the device lacks are left
/// out.
std::vector<PhaseCounts> phase_counts(const std::vector<CountedSpan>& spans, const std::vector<KernelRow>& rows);

}  // namespace sortlab
