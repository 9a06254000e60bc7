// Number of threads that a sort used, by the processor time of its samples.
#pragma once

#include <optional>

#include "harness/cell/case.hpp"
#include "harness/cell/reason_code.hpp"
#include "harness/measure/testbed.hpp"

namespace sortlab {

/// Sums over samples.
struct ThreadUse {
  int samples = 0;
  double window_s = 0;     ///< sum of SortFacts::window_s
  double processor_s = 0;  ///< sum of SortFacts::processor_s
  double others_s = 0;     ///< sum of SortFacts::others_s

  void add(const SortFacts& facts);
};

/// The reason why the sort used more threads than it was given, or left all of them but one idle, or nothing. One
/// sample tells little, since the kernel accounts for running threads in steps. May overwrite the last output.
std::optional<Reason> fault_in_threads(const ThreadUse& use, const Case& c, Testbed& testbed);

}  // namespace sortlab
