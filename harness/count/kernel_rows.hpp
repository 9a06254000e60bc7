// The kernels that ncu reports, read from its CSV output (--page raw --nvtx).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sortlab {

struct KernelRow {
  std::string name;
  std::string grid;               ///< blocks: "(2731, 1, 1)"
  std::string block;              ///< threads: "(128, 1, 1)"
  int registers = 0;              ///< a thread
  std::int64_t shared_bytes = 0;  ///< a block, static and dynamic
  std::size_t sort = 0;           ///< index of the profiled sort that launched it: see sort_label()
  std::int64_t reading = 0;       ///< number of readings of the sort's clock before its launch
  std::map<std::string, double> metrics;
};

/// The kernels of profiled sorts, in order of launch. `log` may also hold ncu's messages. A torn last line is left out.
/// Throws BadInput if the CSV lacks a needed column.
std::vector<KernelRow> kernel_rows(const std::string& log, const std::vector<std::string>& metrics);

}  // namespace sortlab
