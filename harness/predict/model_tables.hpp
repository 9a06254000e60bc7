// Which tables a model reads, found by running it: a declaration could be wrong.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/model.hpp"
#include "models/table_log.hpp"

namespace sortlab {

/// The profiles' files of models/machines/ and results/**.
std::vector<std::string> known_profiles();

/// What `model` reads of `machines` for its algorithms with default parameters, with each preset, and with each other
/// choice of a parameter by itself; of small and large inputs of each type, on one thread and on all. Empty if none of
/// the machines has the tables it needs.
TableLog tables_of(const Model& model, std::span<const MachineProfile> machines);

}  // namespace sortlab
