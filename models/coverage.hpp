// What a model covers: workloads outside it are declined by BadInput, profiles of another device are refused, both in
// one line that names the field.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "models/model.hpp"

namespace sortlab {

/// Why the model's constants do not hold for the machine: field, the profile's value, the model's value. A profile
/// without compute capability is judged by the shared memory of a multiprocessor.
std::optional<std::string> refusal_of(const ModelInfo&, const MachineProfile&);

void require_keys_only(const ModelInfo&, const Workload&);

/// Keys of that many bytes.
void require_key_bytes(const ModelInfo&, const Workload&, int bytes);

/// Parameters with the values, as text, that the paper's numbers were measured with.
void require_parameters(const ModelInfo&, const Workload&, const std::map<std::string_view, std::string_view>& values);

}  // namespace sortlab
