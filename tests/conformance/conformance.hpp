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

/// Sorts `keys` `times` times with `sorter`, which the algorithm of `info` prepared for `problem`. Returns the first
/// error, or an empty string. Checks the verdict of harness/verify/verify.hpp, the bytes around the buffers, the names
/// and intervals of phases, and that a result in scratch memory is within the declared size.
///
/// `order`: the order that the algorithm declares for its output.
std::string find_fault(const Info& info, const Problem& problem, Sorter& sorter, const Keys& keys, Arena& arena,
                       Placement placement, int threads, int times = 2, const Order& order = {});

/// Text of a case: "f32/u32 together, n 17, zipf, 2 threads".
std::string describe(const Problem& problem, const std::string& input, int threads);

}  // namespace sortlab
