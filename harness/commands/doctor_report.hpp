// What Sortlab can use on this machine, what is missing, and the consequences.
#pragma once

#include <string>
#include <vector>

namespace sortlab {

struct Finding {
  std::string what;    ///< "huge pages"
  bool good = false;   ///< present and as it should be
  std::string detail;  ///< what was found
  std::string cost;    ///< the consequence and the remedy; empty if good
};

/// Looks at everything; takes some seconds where a library hangs.
std::vector<Finding> examine();

}  // namespace sortlab
