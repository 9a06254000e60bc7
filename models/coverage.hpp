// Checks of what a model covers. Other workloads are declined by BadInput, profiles of another device are refused, both
// in one line that names the field.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "models/model.hpp"

namespace sortlab {

/// The reason the model's constants do not hold for the machine (field, the profile's value, the model's value), or
/// nullopt. For a profile without compute capability the shared memory of a multiprocessor decides.
std::optional<std::string> machine_refusal(const ModelInfo&, const MachineProfile&);

/// Throws BadInput if there are values.
void require_keys_only(const ModelInfo&, const Workload&);

/// Throws BadInput unless keys have that many bytes.
void require_key_bytes(const ModelInfo&, const Workload&, int bytes);

/// Throws BadInput unless the parameters have these values, with which the paper's numbers were measured.
void require_parameters(const ModelInfo&, const Workload&, const std::map<std::string_view, std::string_view>& values);

}  // namespace sortlab
