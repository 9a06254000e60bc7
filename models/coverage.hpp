// What a model covers. A workload outside it is declined by BadInput, in one line that names the field.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "models/model.hpp"

namespace sortlab {

void require_keys_only(const ModelInfo&, const Workload&);

/// Keys of so many bytes.
void require_key_bytes(const ModelInfo&, const Workload&, int bytes);

/// Parameters with the values, as text, that the paper's numbers are of.
void require_parameters(const ModelInfo&, const Workload&, const std::map<std::string_view, std::string_view>& values);

}  // namespace sortlab
