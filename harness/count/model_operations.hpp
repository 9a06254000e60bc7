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
  std::vector<PhasePrediction> phases;  ///< of which `work` alone has a meaning
};

/// Of a sort on the host: what the first model says that predicts it from something else than times. Nothing where none
/// covers the case.
std::optional<ModelOperations> operations_of(const Case&);

}  // namespace sortlab
