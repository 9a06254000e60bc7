// The processors that a sort had, compared with those that it was given.
#pragma once

#include <vector>

namespace sortlab {

struct Binding {
  bool held = true;  ///< the sort's threads could be bound to the processors that it was given
  std::vector<int>
      cpus;  ///< the processors that it had of them; if its threads were not bound, all that they might run on
};

/// Processors that the calling thread of a sort was allowed, and bindings that its threads did not get.
struct Bindings {
  std::vector<int> before;
  std::vector<int> after;
  bool refused = false;
};

/// `given`: processors in ascending order. `calls_bound`: the calling thread was bound to them, and those it started
/// inherited that.
Binding compare_bindings(const std::vector<int>& given, bool calls_bound, const Bindings& seen);

}  // namespace sortlab
