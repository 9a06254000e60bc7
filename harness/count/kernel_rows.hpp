// What ncu says of each kernel, read from its CSV (--page raw --nvtx).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sortlab {

struct KernelRow {
  std::string name;
  std::string grid;               ///< "(2731, 1, 1)" blocks
  std::string block;              ///< "(128, 1, 1)" threads
  int registers = 0;              ///< a thread
  std::int64_t shared_bytes = 0;  ///< a block, static and dynamic
  std::size_t sort = 0;           ///< which of the profiled sorts launched it: see label_of_sort
  std::int64_t reading = 0;       ///< how often the sort's clock had been read
  std::map<std::string, double> metrics;
};

/// The kernels of profiled sorts, in order of launch. `log` may hold ncu's messages, too; a torn last line is left out.
/// Throws BadInput if there are lines of CSV but not the columns that are needed.
std::vector<KernelRow> kernel_rows(const std::string& log, const std::vector<std::string>& metrics);

}  // namespace sortlab
