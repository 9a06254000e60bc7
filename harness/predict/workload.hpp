// A case as models see it.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "harness/cell/case.hpp"
#include "models/model.hpp"

namespace sortlab {

Workload workload_of(const Case&);

/// Views of inputs, made once for neighbouring cells that share one: a few are kept, of some 8 MiB each.
class Views {
 public:
  /// Valid until the next call.
  const DistributionView& of(const Case&);

 private:
  std::map<std::string, std::unique_ptr<DistributionView>> views_;
};

}  // namespace sortlab
