// The functions of NVIDIA's management library (nvml.h) that we call, bound at run time.
#pragma once

#include <string>

namespace sortlab {

/// All return 0 for success. A member is null where the driver's library lacks the function.
struct Nvml {
  using Device = struct NvmlDevice*;

  struct Utilization {
    unsigned gpu = 0;  ///< percent
    unsigned memory = 0;
  };
  struct Process {
    unsigned pid = 0;
    unsigned long long used_bytes = 0;
    unsigned gpu_instance = 0;
    unsigned compute_instance = 0;
  };
  struct FieldValue {
    unsigned field = 0;
    unsigned scope = 0;
    long long timestamp = 0;
    long long latency_us = 0;
    int value_type = 0;
    int error = 0;
    union {
      unsigned as_unsigned;
      unsigned long long as_long;
    } value{.as_long = 0};
  };

  static constexpr int kSmClock = 1, kMemoryClock = 2;  // NVML_CLOCK_SM, NVML_CLOCK_MEM
  static constexpr unsigned kPowerInstant = 186;        // NVML_FI_DEV_POWER_INSTANT

  int (*init)() = nullptr;
  const char* (*error_text)(int error) = nullptr;
  int (*count)(unsigned* devices) = nullptr;
  int (*by_index)(unsigned index, Device* device) = nullptr;
  int (*by_bus_id)(const char* bus_id, Device* device) = nullptr;
  int (*name)(Device, char* name, unsigned length) = nullptr;
  int (*uuid)(Device, char* uuid, unsigned length) = nullptr;
  int (*total_energy)(Device, unsigned long long* millijoules) = nullptr;
  int (*power)(Device, unsigned* milliwatts) = nullptr;  ///< a mean of the last second on recent GPUs
  int (*field_values)(Device, int count, FieldValue* values) = nullptr;
  int (*power_limit)(Device, unsigned* milliwatts) = nullptr;
  int (*clock)(Device, int which, unsigned* megahertz) = nullptr;
  int (*temperature)(Device, int sensor, unsigned* celsius) = nullptr;
  int (*throttle_reasons)(Device, unsigned long long* reasons) = nullptr;
  int (*mig_mode)(Device, unsigned* current, unsigned* pending) = nullptr;
  int (*processes)(Device, unsigned* count, Process* processes) = nullptr;
  int (*mps_processes)(Device, unsigned* count, Process* processes) = nullptr;
  int (*utilization)(Device, Utilization* rates) = nullptr;

  /// Loads and starts the library, which stays loaded. Throws EnergyUnavailable.
  static Nvml load(const std::string& library);

  /// Throws EnergyUnavailable with NVML's words for `error`, unless it is 0.
  void check(int error, const char* what) const;
};

}  // namespace sortlab
