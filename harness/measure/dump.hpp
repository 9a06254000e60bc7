// A sort's input and output as NumPy's arrays, for others to check: plots/README.md has the form.
#pragma once

#include <filesystem>

#include "harness/measure/testbed.hpp"

namespace sortlab {

/// Writes what a whole sort returned and what it was given to `folder`, which exists, in files that begin with the
/// cell's id, and a line of the cell and of `verification` to its manifest. Of an output of another length than its
/// input, or with records outside their array, nothing can be read, and nothing is written.
///
/// The output is lost: the input is restored over it. Throws std::runtime_error with file and reason, and what the
/// testbed throws.
void dump_sort(const std::filesystem::path& folder, const Case& c, const Verification& verification,
               const Buffers& output, Testbed& testbed);

}  // namespace sortlab
