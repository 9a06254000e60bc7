// Cumulative counters of energy: of a GPU by NVML, of the host's packages and memory by RAPL.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sortlab {

/// Thrown if a counter cannot be read here, or cannot be believed, with the reason in one line.
class EnergyUnavailable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class EnergyMeter {
 public:
  virtual ~EnergyMeter() = default;
  /// Names of what is metered: "device", "package", "dram".
  virtual const std::vector<std::string>& domains() const = 0;
  /// Joules that each domain has drawn since some moment before. Throws EnergyUnavailable.
  virtual std::vector<double> joules() = 0;
};

/// A CUDA device as its driver knows it, whatever number it has in this process.
struct DeviceIdentity {
  std::string pci_bus_id;  ///< "0000:17:00.0"
  std::string uuid;        ///< "GPU-5a9a5a5b-…"
};

/// State of a device that its counter of energy does not tell.
struct DeviceState {
  double power_w = 0;
  double sm_clock_hz = 0;
  double memory_clock_hz = 0;
  double temperature_c = 0;
  std::uint64_t throttle_reasons = 0;  ///< NVML's bits
};

/// The counter of energy of one GPU.
class DeviceMeter : public EnergyMeter {
 public:
  virtual DeviceState state() = 0;
  virtual std::optional<double> power_limit_w() = 0;
  /// The reason why what the counter shows is not this process's alone, as far as the driver tells, or nothing: another
  /// process has a context on the device. Throws EnergyUnavailable.
  virtual std::optional<std::string> sharers() = 0;
  /// Share of the last moments in which any kernel ran, or nothing where the driver does not tell.
  virtual std::optional<double> busy_share() = 0;
};

/// Name of NVML's library, or the value of SORTLAB_NVML.
std::string nvml_library();

/// The meter of a device, which is found by its place on the bus. Throws EnergyUnavailable: no NVML, no such counter, a
/// partitioned device, or another device at that place. `library`: name passed to dlopen.
std::unique_ptr<DeviceMeter> open_device_meter(const DeviceIdentity& device,
                                               const std::string& library = nvml_library());

/// Names of the driver's reasons for a lower clock among NVML's bits, without idleness: {"power cap", …}.
std::vector<std::string> throttle_names(std::uint64_t reasons);

/// Each GPU of the machine, and the reason why its energy cannot be metered; empty where it can.
struct DeviceMetering {
  std::string name;
  std::string reason;
};

/// Asks NVML in a child process, since a broken driver hangs or crashes. Throws EnergyUnavailable if NVML does not
/// work.
std::vector<DeviceMetering> survey_device_meters(const std::string& library = nvml_library());

/// The kernel's folder of power zones, or the value of SORTLAB_POWERCAP.
std::filesystem::path powercap_folder();

/// The meter of this host: the energy of all processor packages, and of their memory where the machine has that
/// counter. Throws EnergyUnavailable: no such zones, or no permission to read them.
std::unique_ptr<EnergyMeter> open_host_meter(const std::filesystem::path& folder = powercap_folder());

}  // namespace sortlab
