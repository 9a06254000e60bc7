// Checks that a plug-in keeps the contract of algorithms/plugin.hpp on an input. The answer is in words.
#pragma once

#include <memory>
#include <string>

#include "algorithms/plugin.hpp"
#include "tests/conformance/guarded_array.hpp"
#include "tests/conformance/inputs.hpp"

namespace sortlab {

/// The memory for cases up to some n, reused from case to case.
struct Arena {
  explicit Arena(std::uint64_t largest_n);
  GuardedArray keys;
  GuardedArray values;
  std::unique_ptr<GuardedArray> bytes{};  ///< of records: allocated on demand, as large as needed
};

/// Sorts `keys` with `sorter`, prepared for `problem` by the algorithm of `info`, `times` times over. Returns the first
/// thing wrong, or empty: the verdict of harness/verify/verify.hpp, bytes overwritten around the buffers, phases that
/// Info does not name or that end before they begin, a result in scratch memory that the sorter does not declare.
///
/// `order`: the order that the algorithm declares for its output.
std::string fault_of(const Info& info, const Problem& problem, Sorter& sorter, const Keys& keys, Arena& arena,
                     Placement placement, int threads, int times = 2, const Order& order = {});

/// "f32/u32 together, n 17, zipf, 2 threads"
std::string describe(const Problem& problem, const std::string& input, int threads);

}  // namespace sortlab
