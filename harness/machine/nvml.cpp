#include "harness/machine/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <type_traits>

#include "harness/machine/energy_meter.hpp"

namespace sortlab {

Nvml Nvml::load(const std::string& library) {
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw EnergyUnavailable(fmt::format("NVML is not installed ({})", library));
  const auto bind = [handle](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, symbol));
  };
  Nvml nvml;
  bind(nvml.init, "nvmlInit_v2");
  bind(nvml.error_text, "nvmlErrorString");
  bind(nvml.count, "nvmlDeviceGetCount_v2");
  bind(nvml.by_index, "nvmlDeviceGetHandleByIndex_v2");
  bind(nvml.by_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
  bind(nvml.name, "nvmlDeviceGetName");
  bind(nvml.uuid, "nvmlDeviceGetUUID");
  bind(nvml.total_energy, "nvmlDeviceGetTotalEnergyConsumption");
  bind(nvml.power, "nvmlDeviceGetPowerUsage");
  bind(nvml.field_values, "nvmlDeviceGetFieldValues");
  bind(nvml.power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  bind(nvml.clock, "nvmlDeviceGetClockInfo");
  bind(nvml.temperature, "nvmlDeviceGetTemperature");
  bind(nvml.throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  bind(nvml.mig_mode, "nvmlDeviceGetMigMode");
  bind(nvml.processes, "nvmlDeviceGetComputeRunningProcesses_v3");
  bind(nvml.mps_processes, "nvmlDeviceGetMPSComputeRunningProcesses_v3");
  bind(nvml.utilization, "nvmlDeviceGetUtilizationRates");
  const bool complete = nvml.init != nullptr && nvml.error_text != nullptr && nvml.count != nullptr &&
                        nvml.by_index != nullptr && nvml.by_bus_id != nullptr && nvml.name != nullptr &&
                        nvml.uuid != nullptr && nvml.total_energy != nullptr && nvml.power != nullptr;
  if (!complete) throw EnergyUnavailable(fmt::format("NVML is too old: {} has no counter of energy", library));
  nvml.check(nvml.init(), "NVML does not start");
  return nvml;
}

void Nvml::check(int error, const char* what) const {
  if (error == 0) return;
  const char* const text = error_text(error);
  throw EnergyUnavailable(fmt::format("{}: {} (NVML error {})", what, text == nullptr ? "unknown" : text, error));
}

}  // namespace sortlab
