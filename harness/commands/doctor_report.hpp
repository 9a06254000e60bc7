// What of this machine Sortlab can use, what is missing, and what that costs.
#pragma once

#include <string>
#include <vector>

namespace sortlab {

struct Finding {
  std::string what;    ///< "huge pages"
  bool good = false;   ///< there, and as it should be
  std::string detail;  ///< what was found
  std::string cost;    ///< what a user loses, and the remedy; empty if good
};

/// Looks at everything; takes some seconds where a library hangs.
std::vector<Finding> examine();

}  // namespace sortlab
