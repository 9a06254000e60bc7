// A sort's input and output as NumPy arrays, for independent checks. plots/README.md describes the format.
#pragma once

#include <filesystem>

#include "harness/measure/testbed.hpp"

namespace sortlab {

/// Writes a whole sort's output and input to the existing `folder`, in files whose names begin with the cell's id, and
/// a line with the cell and `verification` to its manifest. Writes nothing for an output that cannot be read: one of
/// another length than its input, or with records outside their array.
///
/// Restores the input over the output, which is lost. Throws std::runtime_error with file and reason, and the
/// exceptions of the testbed.
void dump_sort(const std::filesystem::path& folder, const Case& c, const Verification& verification,
               const Buffers& output, Testbed& testbed);

}  // namespace sortlab
