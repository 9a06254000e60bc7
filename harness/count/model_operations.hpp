// The operations that a model counts of a case: of the algorithm and the input, on whatever machine.
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

/// Of a host sort: from the first model that predicts it without sort times. Nothing if none covers the case.
std::optional<ModelOperations> operations_of(const Case&);

}  // namespace sortlab
