// The delay that a copy of a test program puts into its sorts.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace sortlab {

/// The share of their time that sorts of this program wait: 0.1 for a program named `delayed_10`, 0 for `timing_test`.
inline double delay_share() {
  const std::string name = std::filesystem::read_symlink("/proc/self/exe").filename();
  const std::size_t number = name.find_last_of('_') + 1;
  return std::atof(name.substr(number).c_str()) / 100;
}

}  // namespace sortlab
