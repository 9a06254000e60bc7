// The operations that a model counts for a case. They depend on the algorithm and the input, not on the machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cell/case.hpp"
#include "models/model.hpp"

namespace sortlab {

struct ModelOperations {
  std::string model;
  std::vector<PhasePrediction> phases;  ///< only `work` is meaningful
};

/// Operations of a host sort, from the first model that predicts it without sort times; nullopt if none covers the
/// case.
std::optional<ModelOperations> count_operations(const Case&);

}  // namespace sortlab
