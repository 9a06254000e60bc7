#include "models/coverage.hpp"

#include <fmt/format.h>

namespace sortlab {

void require_keys_only(const ModelInfo& model, const Workload& workload) {
  if (workload.value != ValueType::none) {
    throw BadInput(fmt::format("model {}: value: the paper models keys alone", model.name));
  }
}

void require_key_bytes(const ModelInfo& model, const Workload& workload, int bytes) {
  if (static_cast<int>(size_of(workload.key)) != bytes) {
    throw BadInput(fmt::format("model {}: key: the paper models keys of {} bytes", model.name, bytes));
  }
}

void require_parameters(const ModelInfo& model, const Workload& workload,
                        const std::map<std::string_view, std::string_view>& values) {
  for (const auto& [name, value] : values) {
    const auto given = workload.parameters.all().find(name);
    if (given == workload.parameters.all().end() || to_text(given->second) != value) {
      throw BadInput(fmt::format("model {}: {}: the paper's numbers are of {}={} alone (preset paper)", model.name,
                                 name, name, value));
    }
  }
}

}  // namespace sortlab
