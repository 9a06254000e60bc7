// The report of `sortlab doctor`: usable and missing parts of this machine, with the consequences.
#pragma once

#include <string>
#include <vector>

namespace sortlab {

struct Finding {
  std::string what;    ///< "huge pages"
  bool good = false;   ///< present and in order
  std::string detail;  ///< the facts
  std::string cost;    ///< the consequence and the remedy; empty if good
};

/// Examines the machine. Takes some seconds if a library hangs.
std::vector<Finding> examine();

}  // namespace sortlab
