// Checks that a plug-in keeps the contract of algorithms/plugin.hpp on an input. The result is a message.
#pragma once

#include <memory>
#include <string>

#include "algorithms/plugin.hpp"
#include "tests/conformance/guarded_array.hpp"
#include "tests/conformance/inputs.hpp"

namespace sortlab {

/// Memory for cases up to some n, reused from case to case.
struct Arena {
  explicit Arena(std::uint64_t largest_n);
  GuardedArray keys;
  GuardedArray values;
  std::unique_ptr<GuardedArray> bytes{};  ///< bytes of records, allocated on demand
};

/// Placement, threads and repetitions of a trial of a sorter.
struct Trial {
  Placement placement = Placement::at_end;
  int threads = 1;
  int times = 2;
  Order order{};  ///< the order that the algorithm declares for its output
};

/// Sorts `keys` with `sorter`, prepared for `problem` by the algorithm of `info`. Returns the first thing wrong, or
/// empty: the verdict of harness/verify/verify.hpp, bytes overwritten around the buffers, phases that Info does not
/// name or that end before they begin, a result in scratch memory that the sorter does not declare.
std::string find_fault(const Info& info, const Problem& problem, Sorter& sorter, const Keys& keys, Arena& arena,
                       const Trial& trial);

/// Text of a case: "f32/u32 together, n 17, zipf, 2 threads".
std::string describe(const Problem& problem, const std::string& input, int threads);

}  // namespace sortlab
