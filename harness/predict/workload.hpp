// A case as input to the models.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "harness/cell/case.hpp"
#include "models/model.hpp"

namespace sortlab {

Workload make_workload(const Case&);

/// Views of inputs, made once for neighbouring cells with the same input. A few are kept, of about 8 MiB each.
class Views {
 public:
  /// `limit`: maximum number of keys that a view traces.
  explicit Views(std::uint64_t limit = std::uint64_t{1} << 18) : limit_(limit) {}

  /// The view of the case's input. Valid until the next call.
  const DistributionView& of(const Case&);

 private:
  std::uint64_t limit_;
  std::map<std::string, std::unique_ptr<DistributionView>> views_;
};

}  // namespace sortlab
