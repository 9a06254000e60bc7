// The tables that a model reads, found by running it, since a declaration could be wrong.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "models/model.hpp"
#include "models/table_log.hpp"

namespace sortlab {

/// The tables of `machines` that `model` reads for its algorithms: with default parameters, with each preset, and with
/// each other value of a single parameter; for small and large inputs of each type, on one thread and on all. Empty if
/// no machine has the needed tables.
TableLog find_tables_read(const Model& model, std::span<const MachineProfile> machines);

}  // namespace sortlab
