// A sort's input and output as NumPy arrays, for others to check; plots/README.md describes the format.
#pragma once

#include <filesystem>

#include "harness/measure/testbed.hpp"

namespace sortlab {

/// Writes a whole sort's output and input to `folder`, which exists, in files whose names begin with the cell's id, and
/// a line with the cell and `verification` to its manifest. An output whose length differs from its input's, or with
/// records outside their array, cannot be read, and nothing is written.
///
/// The output is lost: the input is restored over it. Throws std::runtime_error with file and reason, and what the
/// testbed throws.
void dump_sort(const std::filesystem::path& folder, const Case& c, const Verification& verification,
               const Buffers& output, Testbed& testbed);

}  // namespace sortlab
