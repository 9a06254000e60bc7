#include "models/coverage.hpp"

#include <fmt/format.h>

namespace sortlab {
namespace {

/// True if `version` belongs to `release`, as 3.0.1 does to 3.0.
bool is_of(std::string_view version, std::string_view release) {
  return version.starts_with(release) && (version.size() == release.size() || version[release.size()] == '.');
}

std::string refused(const ModelInfo& model, const MachineProfile& profile, std::string_view field,
                    std::string_view found, std::string_view allowed) {
  return fmt::format("machine: {} of {} is {}; allowed: {}, which model {} is of", field, profile.name, found, allowed,
                     model.name);
}

}  // namespace

std::optional<std::string> machine_refusal(const ModelInfo& model, const MachineProfile& profile) {
  const DeviceBasis& basis = model.device_basis;
  if (!basis.compute_capability.empty() && !profile.compute_capability.empty() &&
      profile.compute_capability != basis.compute_capability) {
    return refused(model, profile, "compute_capability", profile.compute_capability, basis.compute_capability);
  }
  if (basis.shared_bytes > 0 && profile.compute_capability.empty() &&
      (profile.origin == "calibrated" || profile.origin == kScaledOrigin)) {
    for (const auto& [level, bytes] : profile.cache_bytes) {
      if (level != "shared" || bytes == basis.shared_bytes) continue;
      return refused(model, profile, "cache_bytes.shared", fmt::format("{}", bytes),
                     fmt::format("{} (compute capability {})", basis.shared_bytes, basis.compute_capability));
    }
  }
  const auto cub = profile.libraries.find("CUB");
  if (!basis.cub.empty() && cub != profile.libraries.end() && !is_of(cub->second, basis.cub)) {
    return refused(model, profile, "libraries.CUB", cub->second, basis.cub);
  }
  return std::nullopt;
}

void require_keys_only(const ModelInfo& model, const Workload& workload) {
  if (workload.value != ValueType::none) {
    throw BadInput(fmt::format("model {}: value: the paper models keys alone", model.name));
  }
}

void require_key_bytes(const ModelInfo& model, const Workload& workload, int bytes) {
  if (static_cast<int>(byte_size(workload.key)) != bytes) {
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
